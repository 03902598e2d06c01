package io.isle.net.xdp.rehearsal;

import io.isle.api.net.tile.PollMode;
import io.isle.api.net.tile.PortMemory;
import io.isle.api.net.tile.RingMemory;
import io.isle.api.net.tile.RxLinkMemory;
import io.isle.api.net.tile.Tile;
import io.isle.api.net.tile.TileCalls;
import io.isle.api.net.tile.TileMemory;
import io.isle.api.net.tile.Tiles;
import io.isle.api.net.tile.TxLinkMemory;
import io.isle.lib.packet.NetSig;
import io.isle.lib.packet.UdpFrame;
import io.isle.lib.tango.Chunks;
import io.isle.lib.tango.Dcache;
import io.isle.lib.tango.Frag;
import io.isle.lib.tango.Fseq;
import io.isle.lib.tango.LinkWriter;
import io.isle.lib.tango.Mcache;
import io.isle.lib.tile.AppTable;
import io.isle.lib.tile.MemoryKernel;
import io.isle.lib.tile.RingLayout;
import io.isle.lib.tile.RouteTable;
import io.isle.lib.tile.TileState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;

/**
 * A net in memory, on which the code of a tile gets warm: frames of both directions. One thread.
 */
final class MemoryNet implements TileCalls, AutoCloseable {
  private static final int FRAME = 2048;
  private static final int QUEUE = 256;
  private static final int DEPTH = 256;
  private static final int FRAMES = 3 * QUEUE + DEPTH;
  private static final int HEADROOM = 256;
  private static final int BURST = 32;
  private static final int PORT = 9000;
  private static final int OWN = 198 << 24 | 18 << 16 | 1;
  private static final int OTHER = 198 << 24 | 18 << 16 | 2;
  private static final int INTERFACE = 7;
  private static final int PAYLOAD = 18;
  private static final int PAGE = 4096;
  private static final long FLUSH_NS = 20_000;

  private final Arena arena;
  private final MemorySegment umem;
  private final MemoryKernel kernel;
  private final MemoryKernel.Sent sent = (memory, at, length) -> {};
  private final Fseq progress;
  private final LinkWriter app;
  private final Tiles tiles;
  private final TileMemory memory;
  private Tile tile;

  MemoryNet(Arena arena, Tiles tiles) {
    this.arena = arena;
    this.tiles = tiles;
    umem = arena.allocate((long) FRAME * FRAMES, PAGE);
    kernel = new MemoryKernel(arena, umem, FRAME, QUEUE, QUEUE);
    MemorySegment rx = arena.allocate(Mcache.footprint(DEPTH, 0), Mcache.ALIGN);
    Mcache ignored = Mcache.create(rx, DEPTH, 0, 0);
    long data = Chunks.slot((int) Mcache.footprint(DEPTH, 0));
    long bytes = Dcache.dataBytes(FRAME, DEPTH, 1);
    MemorySegment tx = arena.allocate(data + bytes, PAGE);
    MemorySegment told = arena.allocate(Fseq.BYTES, Fseq.BYTES);
    progress = Fseq.create(told, 0);
    app = new LinkWriter(Mcache.create(tx, DEPTH, 0, 0), Chunks.of(tx, data, bytes, FRAME));
    memory =
        memory(
            List.of(new RxLinkMemory(0, 0, rx)),
            List.of(new TxLinkMemory(0, 1, tx, 0, DEPTH, 0, data, bytes, FRAME, told)));
    tile = tiles.open(memory, this);
  }

  private TileMemory memory(List<RxLinkMemory> rx, List<TxLinkMemory> tx) {
    PortMemory port =
        new PortMemory(
            INTERFACE,
            ring(kernel.fill()),
            ring(kernel.rx()),
            ring(kernel.tx()),
            ring(kernel.completion()),
            QUEUE,
            QUEUE,
            PollMode.SOFTIRQ);
    return new TileMemory(
        0,
        1,
        umem,
        FRAME,
        FRAMES,
        arena.allocate(FRAMES, Long.BYTES),
        arena.allocate(TileState.BYTES, Long.BYTES),
        List.of(port),
        0,
        rx,
        tx,
        apps(),
        routes(),
        FLUSH_NS,
        false);
  }

  private MemorySegment apps() {
    MemorySegment apps = arena.allocate(AppTable.BYTES, Long.BYTES);
    new AppTable(apps).replace(Map.of(PORT, 0));
    return apps;
  }

  private MemorySegment routes() {
    MemorySegment routes = arena.allocate(RouteTable.BYTES, Long.BYTES);
    new RouteTable(routes)
        .replace(
            List.of(
                new RouteTable.Route(0, OTHER, 32, 0, RouteTable.Kind.UNICAST, INTERFACE, 0, OWN)),
            List.of(new RouteTable.Neighbor(INTERFACE, OTHER, 1)),
            List.of(new RouteTable.Interface(INTERFACE, 2, true)));
    return routes;
  }

  private RingMemory ring(RingLayout layout) {
    return new RingMemory(
        kernel.memory(),
        layout.producer(),
        layout.consumer(),
        layout.flags(),
        layout.entries(),
        layout.size());
  }

  /** Some frames to receive and to send, and a cycle of the tile. */
  void round() {
    for (int i = 0; i < BURST; i++) {
      long frame = kernel.takeFill();
      if (frame >= 0) {
        long at = (frame & -FRAME) + HEADROOM;
        boolean ignored =
            kernel.enterRx(at, UdpFrame.write(umem, at, OTHER, i, OWN, PORT, PAYLOAD));
      }
      if (app.seq() - progress.seq() < DEPTH) {
        int size = UdpFrame.write(app.memory(), app.offset(), OWN, PORT, OTHER, i, PAYLOAD);
        app.publish(NetSig.of(OTHER, OTHER, i, 0, NetSig.MIN_HEADER_BYTES), size, Frag.WHOLE, 0, 0);
      }
    }
    int ignored = tile.cycle(System.nanoTime());
    ignored = kernel.send(sent, QUEUE);
  }

  /** Another tile goes on where this one ends. */
  void reopen() {
    tile.close();
    tile = tiles.open(memory, this);
  }

  /** Ends the tile. */
  @Override
  public void close() {
    tile.close();
  }

  @Override
  public int wakeRx(int port) {
    return 0;
  }

  @Override
  public int wakeTx(int port) {
    return 0;
  }

  @Override
  public int statistics(int port, MemorySegment into) {
    return 0;
  }
}
