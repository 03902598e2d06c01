package io.isle.net.tile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.net.tile.PollMode;
import io.isle.api.net.tile.PortMemory;
import io.isle.api.net.tile.TileCalls;
import io.isle.lib.tile.MemoryKernel;
import io.isle.lib.tile.TileState;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class FlushTest {
  private static final long FLUSH_NS = 20_000;

  private final World world = new World();
  private final MemoryKernel rings = world.kernels.get(0).rings();
  private final Calls calls = new Calls();
  private int frame;

  /** Counts calls, and answers as told. */
  private static final class Calls implements TileCalls {
    int rx;
    int tx;
    int answer;

    @Override
    public int wakeRx(int port) {
      rx++;
      return answer;
    }

    @Override
    public int wakeTx(int port) {
      tx++;
      return answer;
    }

    @Override
    public int statistics(int port, MemorySegment into) {
      return 0;
    }
  }

  private Port port;

  private Flush flush(PollMode poll) {
    PortMemory memory = world.memory().ports().get(0);
    PortMemory polled =
        new PortMemory(
            memory.interfaceIndex(),
            memory.fill(),
            memory.rx(),
            memory.tx(),
            memory.completion(),
            memory.rxFrames(),
            memory.txFrames(),
            poll);
    port = new Port(0, polled, world.state);
    wakeup(1);
    return new Flush(port, world.state, calls, FLUSH_NS);
  }

  private void wakeup(int flag) {
    rings.memory().set(ValueLayout.JAVA_INT, rings.tx().flags(), flag);
    rings.memory().set(ValueLayout.JAVA_INT, rings.fill().flags(), flag);
  }

  private void stage(Flush flush, int count, long nowNs) {
    for (int i = 0; i < count; i++) {
      port.stageTx((long) frame++ * World.FRAME, 60);
      flush.staged(nowNs);
    }
  }

  @Test
  void aCycleWithNothingMoreToSendFlushesAtOnce() {
    Flush flush = flush(PollMode.SOFTIRQ);
    flush.end(true, 0);
    stage(flush, 1, 100);
    assertEquals(100 + FLUSH_NS, flush.deadlineNs());
    flush.end(true, 100);
    assertEquals(1, calls.tx);
    assertEquals(1, port.tx.pending());
  }

  @Test
  void aBurstWaitsForSevenTenthsOfTheQueue() {
    Flush flush = flush(PollMode.SOFTIRQ);
    stage(flush, 10, 100);
    flush.end(false, 100);
    assertEquals(0, calls.tx);
    assertEquals(0, port.tx.pending());
    stage(flush, 1, 200);
    flush.end(false, 200);
    assertEquals(1, calls.tx);
    assertEquals(11, port.tx.pending());
  }

  @Test
  void aBurstWaitsForTheFlushTime() {
    Flush flush = flush(PollMode.SOFTIRQ);
    stage(flush, 2, 100);
    flush.end(false, 100);
    flush.end(false, 99 + FLUSH_NS);
    assertEquals(0, calls.tx);
    flush.end(false, 100 + FLUSH_NS);
    assertEquals(1, calls.tx);
  }

  /** The kernel sends some at a time, and is called until it has taken all. */
  @Test
  void theTailIsFlushed() {
    Flush flush = flush(PollMode.SOFTIRQ);
    stage(flush, 3, 100);
    calls.answer = -Errno.EAGAIN;
    flush.end(true, 100);
    assertEquals(100, flush.deadlineNs());
    calls.answer = 0;
    flush.end(true, 150);
    assertEquals(2, calls.tx);
    assertEquals(150 + FLUSH_NS, flush.deadlineNs());
    rings.send((umem, at, length) -> {}, 3);
    flush.end(true, 150 + FLUSH_NS);
    assertEquals(3, calls.tx);
    assertEquals(Long.MAX_VALUE, flush.deadlineNs());
    flush.end(true, 150 + 5 * FLUSH_NS);
    assertEquals(3, calls.tx);
    assertEquals(0, world.state.get(TileState.port(0, TileState.FAILED_WAKES)));
  }

  @Test
  void aKernelThatIsAwakeIsNotCalled() {
    Flush flush = flush(PollMode.SOFTIRQ);
    wakeup(0);
    stage(flush, 1, 100);
    flush.end(true, 100);
    assertEquals(0, calls.tx);
    assertEquals(1, port.tx.pending());
  }

  /** The tile before may have handed frames over and not called. */
  @Test
  void aNewTileCallsForWhatIsInTheRing() {
    Flush before = flush(PollMode.SOFTIRQ);
    stage(before, 1, 100);
    before.publish();
    Flush flush = flush(PollMode.SOFTIRQ);
    flush.end(true, 500);
    assertEquals(1, calls.tx);
  }

  @Test
  void failuresAreCountedWithTheirError() {
    Flush flush = flush(PollMode.SOFTIRQ);
    rings.memory().set(ValueLayout.JAVA_INT, rings.fill().flags(), 0);
    calls.answer = -100;
    stage(flush, 1, 100);
    flush.end(true, 100);
    assertEquals(1, world.state.get(TileState.port(0, TileState.FAILED_WAKES)));
    assertEquals(100, world.state.get(TileState.port(0, TileState.WAKE_ERROR)));
  }

  /** A call five microseconds behind the last one; while frames arrive only behind 150. */
  @Test
  void preferredBusyPollingCallsItself() {
    Flush flush = flush(PollMode.PREFBUSY);
    flush.end(true, 0);
    assertEquals(1, calls.rx);
    assertEquals(5_000, flush.deadlineNs());
    flush.end(true, 4_000);
    assertEquals(1, calls.rx);
    flush.end(true, 5_000);
    assertEquals(2, calls.rx);
    for (long now = 6_000; now < 155_000; now += 1_000) {
      flush.received(1);
      flush.end(true, now);
    }
    assertEquals(2, calls.rx);
    flush.received(1);
    flush.end(true, 155_000);
    assertEquals(3, calls.rx);
  }

  @Test
  void aDriverThatSleepsOnFillIsWoken() {
    Flush flush = flush(PollMode.SOFTIRQ);
    flush.received(0);
    flush.end(true, 1_000_000);
    assertEquals(1, calls.rx);
    flush.end(true, 1_001_000);
    assertEquals(1, calls.rx);
    flush.received(4);
    flush.end(true, 1_002_000);
    assertEquals(2, calls.rx);
    assertTrue(flush.deadlineNs() > 2_000_000);
  }
}
