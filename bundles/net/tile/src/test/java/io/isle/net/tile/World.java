package io.isle.net.tile;

import io.isle.api.net.tile.PollMode;
import io.isle.api.net.tile.PortMemory;
import io.isle.api.net.tile.RingMemory;
import io.isle.api.net.tile.RxLinkMemory;
import io.isle.api.net.tile.Tile;
import io.isle.api.net.tile.TileCalls;
import io.isle.api.net.tile.TileMemory;
import io.isle.lib.tango.Mcache;
import io.isle.lib.tile.AppTable;
import io.isle.lib.tile.Ledger;
import io.isle.lib.tile.MemoryKernel;
import io.isle.lib.tile.RingLayout;
import io.isle.lib.tile.TileState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The memory of a small net, its kernel and its apps, as they outlive tiles. */
final class World implements TileCalls {
  static final int FRAME = 2048;
  static final int RX_QUEUE = 16;
  static final int RX_FRAMES = 24;
  static final int TX_QUEUE = 16;
  static final int DEPTH = 128;
  static final int APPS = 2;
  static final int FIRST_PORT = 9000;
  static final int FRAMES = 2 * (RX_FRAMES + TX_QUEUE) + APPS * DEPTH + 8;

  final MemorySegment umem;
  final Ledger ledger;
  final TileState state;
  final AppTable apps;
  final FakeRoutes routes = new FakeRoutes();
  final List<TestKernel> kernels = new ArrayList<>();
  final List<Mcache> rxLinks = new ArrayList<>();
  final List<TestApp> txApps = new ArrayList<>();
  private final List<RxLinkMemory> rxMemory = new ArrayList<>();
  private final MemorySegment ledgerMemory;
  private final MemorySegment stateMemory;
  private final MemorySegment appMemory;
  private int tile;
  private int tiles = 1;
  private boolean checksums;

  /** A net of one tile. */
  World() {
    Arena arena = Arena.ofAuto();
    umem = arena.allocate((long) FRAME * FRAMES, 4096);
    ledgerMemory = arena.allocate(FRAMES, 64);
    ledger = new Ledger(ledgerMemory, FRAMES);
    stateMemory = arena.allocate(TileState.BYTES, 64);
    state = new TileState(stateMemory);
    appMemory = arena.allocate(AppTable.BYTES, 64);
    apps = new AppTable(appMemory);
    apps.replace(Map.of(FIRST_PORT, 0, FIRST_PORT + 1, 1));
    for (int i = 0; i < 2; i++) {
      kernels.add(new TestKernel(new MemoryKernel(arena, umem, FRAME, RX_QUEUE, TX_QUEUE), umem));
    }
    for (int app = 0; app < APPS; app++) {
      MemorySegment memory = arena.allocate(Mcache.footprint(DEPTH, 0), Mcache.ALIGN);
      rxLinks.add(Mcache.create(memory, DEPTH, 0, -3L * app));
      rxMemory.add(new RxLinkMemory(app, 0, memory));
      txApps.add(new TestApp(arena, app * 5, 77 + app, -5L * app));
    }
  }

  void tiles(int number, int of) {
    tile = number;
    tiles = of;
  }

  void dropBadChecksums() {
    checksums = true;
  }

  TileMemory memory() {
    return memory(rxMemory);
  }

  TileMemory memory(List<RxLinkMemory> links) {
    return new TileMemory(
        tile,
        tiles,
        umem,
        FRAME,
        FRAMES,
        ledgerMemory,
        stateMemory,
        List.of(port(kernels.get(0), FakeRoutes.WIRE), port(kernels.get(1), FakeRoutes.LOOPBACK)),
        FakeRoutes.LOOPBACK,
        links,
        txApps.stream().map(TestApp::link).toList(),
        appMemory,
        MemorySegment.NULL,
        20_000,
        checksums);
  }

  private static PortMemory port(TestKernel kernel, int index) {
    MemoryKernel rings = kernel.rings();
    return new PortMemory(
        index,
        ring(rings, rings.fill()),
        ring(rings, rings.rx()),
        ring(rings, rings.tx()),
        ring(rings, rings.completion()),
        RX_FRAMES,
        TX_QUEUE,
        PollMode.SOFTIRQ);
  }

  private static RingMemory ring(MemoryKernel rings, RingLayout layout) {
    return new RingMemory(
        rings.memory(),
        layout.producer(),
        layout.consumer(),
        layout.flags(),
        layout.entries(),
        layout.size());
  }

  Tile open() {
    return Opening.open(memory(), routes, this);
  }

  @Override
  public int wakeRx(int port) {
    return 0;
  }

  @Override
  public int wakeTx(int port) {
    kernels.get(port).woken();
    return 0;
  }

  @Override
  public int statistics(int port, MemorySegment into) {
    return 0;
  }
}
