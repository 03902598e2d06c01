package io.isle.net.jobs.trial;

import io.isle.api.net.FrameMatch;
import io.isle.api.net.tile.PollMode;
import io.isle.api.net.tile.PortMemory;
import io.isle.api.net.tile.RingMemory;
import io.isle.api.net.tile.RxLinkMemory;
import io.isle.api.net.tile.Tile;
import io.isle.api.net.tile.TileCalls;
import io.isle.api.net.tile.TileMemory;
import io.isle.api.net.tile.Tiles;
import io.isle.lib.packet.UdpMatch;
import io.isle.lib.tango.Mcache;
import io.isle.lib.tile.AppTable;
import io.isle.lib.tile.MemoryKernel;
import io.isle.lib.tile.RingLayout;
import io.isle.lib.tile.RouteTable;
import io.isle.lib.tile.RxDrop;
import io.isle.lib.tile.TileState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A tile of its own on rings in memory, which receives frame after frame. What became of a frame is
 * read from the counters of the tile. One thread.
 */
final class FrameTrial implements TileCalls, AutoCloseable {
  /** Most bytes of a frame: what a frame of the UMEM has behind its headroom. */
  static final int MOST_BYTES = (1 << 16) - 256;

  /** Outcome of a frame that an app gets. */
  static final String APP = "app";

  /** Outcome of a frame that the program leaves to the kernel. */
  static final String KERNEL = "kernel";

  private static final int FRAME = 1 << 16;
  private static final int QUEUE = 16;
  private static final int DEPTH = Mcache.LEAST_DEPTH;
  private static final int FRAMES = QUEUE + QUEUE + DEPTH;

  private final Arena lifetime = Arena.ofShared();
  private final UdpMatch program;
  private final MemoryKernel kernel;
  private final TileState state;
  private final Tile tile;

  /**
   * A tile with one app, which has all ports.
   *
   * @param checksums whether frames with a wrong checksum of UDP are dropped
   */
  FrameTrial(Tiles tiles, FrameMatch match, boolean checksums) {
    program = new UdpMatch(match.ports(), match.address());
    MemorySegment umem = lifetime.allocate((long) FRAME * FRAMES, 4096);
    kernel = new MemoryKernel(lifetime, umem, FRAME, QUEUE, QUEUE);
    MemorySegment words = lifetime.allocate(TileState.BYTES, 64);
    state = new TileState(words);
    MemorySegment apps = lifetime.allocate(AppTable.BYTES, 64);
    Map<Integer, Integer> ports = new TreeMap<>();
    match.ports().forEach(port -> ports.put(port, 0));
    new AppTable(apps).replace(ports);
    MemorySegment routes = lifetime.allocate(RouteTable.BYTES, 64);
    new RouteTable(routes).replace(List.of(), List.of(), List.of());
    MemorySegment link = lifetime.allocate(Mcache.footprint(DEPTH, 0), Mcache.ALIGN);
    Mcache made = Mcache.create(link, DEPTH, 0, 0);
    RxLinkMemory app = new RxLinkMemory(0, 0, link.asSlice(0, Mcache.footprint(made.depth(), 0)));
    PortMemory port =
        new PortMemory(
            1,
            ring(kernel.fill()),
            ring(kernel.rx()),
            ring(kernel.tx()),
            ring(kernel.completion()),
            QUEUE,
            QUEUE,
            PollMode.SOFTIRQ);
    tile =
        tiles.open(
            new TileMemory(
                0,
                1,
                umem,
                FRAME,
                FRAMES,
                lifetime.allocate(FRAMES, 64),
                words,
                List.of(port),
                0,
                List.of(app),
                List.of(),
                apps,
                routes,
                0,
                checksums),
            this);
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

  /**
   * What becomes of a frame.
   *
   * @param length bytes, at most {@link #MOST_BYTES}
   * @return {@link #KERNEL}, {@link #APP}, or the text of an {@link RxDrop}
   */
  String outcome(MemorySegment frame, int length) {
    if (!program.takes(frame, 0, length)) {
      return KERNEL;
    }
    long passed = state.get(TileState.port(0, TileState.RX_PASSED));
    long[] dropped = new long[RxDrop.values().length];
    for (RxDrop reason : RxDrop.values()) {
      dropped[reason.ordinal()] = dropped(reason);
    }
    if (!kernel.receive(frame, 0, length) || tile.cycle(0) != 1) {
      throw new IllegalStateException("the tile does not take a frame of " + length + " bytes");
    }
    if (state.get(TileState.port(0, TileState.RX_PASSED)) > passed) {
      return APP;
    }
    for (RxDrop reason : RxDrop.values()) {
      if (dropped(reason) > dropped[reason.ordinal()]) {
        return reason.text();
      }
    }
    throw new IllegalStateException("the tile has counted a frame as nothing");
  }

  private long dropped(RxDrop reason) {
    return state.get(TileState.port(0, TileState.RX_DROPS + reason.ordinal()));
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

  @Override
  public void close() {
    tile.close();
    lifetime.close();
  }
}
