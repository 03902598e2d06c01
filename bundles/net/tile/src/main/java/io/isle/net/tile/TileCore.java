package io.isle.net.tile;

import io.isle.api.base.Errno;
import io.isle.api.net.tile.Tile;
import io.isle.api.net.tile.TileCalls;
import io.isle.api.net.tile.TileMemory;
import io.isle.lib.tile.TileState;
import java.lang.foreign.MemorySegment;

/**
 * A tile: the order of its work within a duty cycle. All that must outlive the tile is in memory,
 * so the end of a tile is nothing special.
 */
final class TileCore implements Tile {
  /** Most frames of a port that one cycle receives or takes back. */
  static final int RX_BURST = 256;

  /** Most frames of a link that one cycle sends. */
  static final int TX_BURST = 64;

  /** Time between two looks at the kernel's figures. */
  static final long STATISTICS_NS = 100_000_000;

  /** Stays mapped while the tile is in use. */
  final TileMemory memory;

  private final TileState state;
  private final Port[] ports;
  private final RxLinks rxLinks;
  private final RxPath rx;
  private final TxPath tx;
  private final Flush[] flushes;
  private final TileCalls calls;
  private final MemorySegment[] kernel;
  private boolean started;
  private boolean busy;
  private boolean closed;
  private long lastNs;
  private long statisticsNs;

  TileCore(TileParts parts, RxPath rx, TxPath tx, Flush[] flushes, TileCalls calls) {
    this.memory = parts.memory();
    this.state = parts.state();
    this.ports = parts.ports();
    this.rxLinks = parts.rxLinks();
    this.rx = rx;
    this.tx = tx;
    this.flushes = flushes;
    this.calls = calls;
    kernel = new MemorySegment[ports.length];
    for (int i = 0; i < kernel.length; i++) {
      kernel[i] =
          memory.state().asSlice(TileState.port(i, TileState.KERNEL), TileState.KERNEL_WORDS * 8L);
    }
  }

  @Override
  public int cycle(long nowNs) {
    if (closed) {
      return -Errno.ECLOSED;
    }
    time(nowNs);
    int work = 0;
    for (Port port : ports) {
      work += tx.complete(port, RX_BURST);
    }
    int received = 0;
    for (int i = 0; i < ports.length; i++) {
      int count = rx.receive(ports[i], RX_BURST, (int) nowNs);
      flushes[i].received(count);
      received += count;
    }
    if (received > 0) {
      rxLinks.settle();
    }
    work += received + tx.send(TX_BURST, nowNs);
    for (Flush flush : flushes) {
      flush.end(tx.isDrained(), nowNs);
    }
    if (nowNs - statisticsNs >= 0) {
      statistics(nowNs);
    }
    busy = work > 0;
    return work;
  }

  private void time(long nowNs) {
    if (started) {
      long since = nowNs - lastNs;
      state.add(TileState.tile(TileState.TOTAL_NS), since);
      if (busy) {
        state.add(TileState.tile(TileState.BUSY_NS), since);
      }
    } else {
      started = true;
      statisticsNs = nowNs;
    }
    lastNs = nowNs;
    state.set(TileState.tile(TileState.CYCLE_NS), nowNs);
  }

  private void statistics(long nowNs) {
    statisticsNs = nowNs + STATISTICS_NS;
    for (int i = 0; i < ports.length; i++) {
      // older kernels refuse: the figures stay at zero
      calls.statistics(i, kernel[i]);
    }
  }

  @Override
  public long deadlineNs() {
    long due = Long.MAX_VALUE;
    for (Flush flush : flushes) {
      due = Math.min(due, flush.deadlineNs());
    }
    return due;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      rxLinks.settle();
      for (Flush flush : flushes) {
        flush.publish();
      }
    }
  }
}
