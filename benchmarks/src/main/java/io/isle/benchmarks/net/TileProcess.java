package io.isle.benchmarks.net;

import io.isle.api.net.tile.PollMode;
import io.isle.api.net.tile.PortMemory;
import io.isle.api.net.tile.RingMemory;
import io.isle.api.net.tile.RxLinkMemory;
import io.isle.api.net.tile.Tile;
import io.isle.api.net.tile.TileCalls;
import io.isle.api.net.tile.TileMemory;
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
import io.isle.net.tile.TileService;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;

/**
 * A tile on rings in memory. Commands: {@code rx N}, {@code tx N}: nanoseconds of a frame within
 * the tile's cycles, of which each begins with full rings; {@code alloc N}: bytes of heap a frame,
 * N of either way.
 */
final class TileProcess implements TileCalls {
  private static final int FRAME = 2048;
  private static final int QUEUE = 1024;
  private static final int DEPTH = 4096;
  private static final int FRAMES = 2 * QUEUE + QUEUE + DEPTH;
  private static final int RX_BURST = 256;
  private static final int TX_BURST = 64;
  private static final int HEADROOM = 256;
  private static final int PORT = 9000;
  private static final int SOURCE = 198 << 24 | 18 << 16 | 1;
  private static final int DESTINATION = 198 << 24 | 18 << 16 | 64;
  private static final int INTERFACE = 7;

  /** Bytes 8 to 15 of a frame: the type 0x0800 and the version 0x45. */
  private static final long TYPE_AND_VERSION = 0x0045_0008_0000_0000L;

  private long number;
  private long wire;
  private final MemorySegment umem = memory((long) FRAME * FRAMES, 4096);
  private final MemoryKernel kernel = new MemoryKernel(Arena.global(), umem, FRAME, QUEUE, QUEUE);
  private final MemoryKernel.Sent sent = (memory, at, length) -> wire += length;
  private final LinkWriter pktgen;
  private final TileState state;
  private final Tile tile;

  private TileProcess() {
    MemorySegment words = memory(TileState.BYTES, 64);
    state = new TileState(words);
    MemorySegment apps = memory(AppTable.BYTES, 64);
    new AppTable(apps).replace(Map.of(PORT, 0));
    MemorySegment routes = memory(RouteTable.BYTES, 64);
    new RouteTable(routes)
        .replace(
            List.of(
                new RouteTable.Route(
                    0, DESTINATION, 32, 0, RouteTable.Kind.UNICAST, INTERFACE, 0, SOURCE)),
            List.of(new RouteTable.Neighbor(INTERFACE, DESTINATION, 0)),
            List.of(new RouteTable.Interface(INTERFACE, 5, true)));
    MemorySegment rx = memory(Mcache.footprint(DEPTH, 0), 128);
    Mcache made = Mcache.create(rx, DEPTH, 0, 0);
    long data = Chunks.slot((int) Mcache.footprint(DEPTH, 0));
    long dataBytes = Dcache.dataBytes(FRAME, DEPTH, 1);
    MemorySegment tx = memory(data + dataBytes, 4096);
    MemorySegment progress = memory(Fseq.BYTES, Fseq.BYTES);
    Fseq credits = Fseq.create(progress, made.seq0());
    pktgen =
        new LinkWriter(
            Mcache.create(tx, DEPTH, 0, credits.seq0()), Chunks.of(tx, data, dataBytes, FRAME));
    PortMemory port =
        new PortMemory(
            INTERFACE,
            ring(kernel.fill()),
            ring(kernel.rx()),
            ring(kernel.tx()),
            ring(kernel.completion()),
            2 * QUEUE,
            QUEUE,
            PollMode.SOFTIRQ);
    TileMemory memory =
        new TileMemory(
            0,
            1,
            umem,
            FRAME,
            FRAMES,
            memory(FRAMES, 64),
            words,
            List.of(port),
            0,
            List.of(new RxLinkMemory(0, 0, rx)),
            List.of(new TxLinkMemory(0, 1, tx, 0, DEPTH, 0, data, dataBytes, FRAME, progress)),
            apps,
            routes,
            20_000,
            false);
    // each frame is received again and again
    for (long frame = 0; frame < FRAMES; frame++) {
      int ignored =
          UdpFrame.write(umem, frame * FRAME + HEADROOM, DESTINATION, 4000, SOURCE, PORT, 18);
    }
    tile = new TileService().open(memory, this);
  }

  public static void main(String[] args) throws IOException {
    TileProcess process = new TileProcess();
    Asked.pin(0);
    Asked.answer(Map.of("rx", process::receive, "tx", process::send, "alloc", process::allocated));
  }

  private static MemorySegment memory(long bytes, long align) {
    return Arena.global().allocate(bytes, align);
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

  private double receive(int count) {
    long begin = state.get(TileState.port(0, TileState.RX_PASSED));
    long nanos = 0;
    for (int done = 0; done < count; done += RX_BURST) {
      for (int i = 0; i < RX_BURST; i++) {
        boolean entered = kernel.enterRx(kernel.takeFill() + HEADROOM, 60);
        require(entered, "RX is full");
      }
      nanos += cycle(RX_BURST);
    }
    return nanos / (double) (state.get(TileState.port(0, TileState.RX_PASSED)) - begin);
  }

  private double send(int count) {
    long nanos = 0;
    for (int done = 0; done < count; done += TX_BURST) {
      for (int i = 0; i < TX_BURST; i++) {
        generate();
      }
      // the first cycle has the completions of the burst before, too
      nanos += cycle(TX_BURST);
      require(kernel.send(sent, TX_BURST) == TX_BURST, "frames are missing in TX");
    }
    return nanos / (double) (count / TX_BURST * TX_BURST);
  }

  /** A frame of pktgen: no addresses, no ports. */
  private void generate() {
    MemorySegment memory = pktgen.memory();
    long at = pktgen.offset();
    for (int i = 0; i < 64; i += Long.BYTES) {
      memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at + i, i == 8 ? TYPE_AND_VERSION : 0);
    }
    memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at + 34, number++);
    pktgen.publish(NetSig.of(DESTINATION, DESTINATION, 0, 0, 42), 60, Frag.WHOLE, 0, 0);
  }

  private long cycle(int least) {
    long begin = System.nanoTime();
    int work = tile.cycle(begin);
    long nanos = System.nanoTime() - begin;
    require(work >= least, "the tile has left frames behind");
    return nanos;
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalStateException(message);
    }
  }

  private double allocated(int count) {
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    double ignored = receive(count) + send(count);
    return (threads.getCurrentThreadAllocatedBytes() - before) / (2.0 * count);
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
