package io.isle.core.accel.agent;

import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import io.isle.core.accel.queue.Bell;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Completions on their way from any thread of a driver to the agent. A completion is accepted only
 * while its tag is armed, and disarms it: exactly once, whatever a driver does. As an armed index
 * takes at most one place, the ring cannot overflow and the sink is wait-free.
 */
public final class CompletionRing implements CompletionSink {
  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);
  private static final int TAIL = 16;
  private static final int STRIDE = 8;
  private static final int START = 0;
  private static final int END = 1;
  private static final int BUSY = 2;
  private static final int STATUS = 3;
  private static final int DETAIL = 4;

  private final Bell bell;
  private final int capacity;
  private final int mask;

  /** Tag in flight by index; 0 when none is. */
  private final long[] armed;

  private final long[] records;

  /** Index + 1 of a completion; 0 where none is yet. */
  private final int[] ring;

  private final long[] tail = new long[32];
  private long head;
  private volatile Thread agent;

  /**
   * @param capacity tags' index is below this
   */
  CompletionRing(int capacity, Bell bell) {
    this.bell = bell;
    this.capacity = capacity;
    int size = Integer.highestOneBit(Math.max(2, capacity) - 1) << 1;
    mask = size - 1;
    armed = new long[capacity];
    records = new long[capacity * STRIDE];
    ring = new int[size];
  }

  /** The agent's thread, which need not be woken by itself. */
  void setAgent(Thread thread) {
    agent = thread;
  }

  @Override
  public int complete(long tag, int status, long startNs, long endNs, long busyNs, int detail) {
    if (status < SUCCESS || status > PARTIAL_ERROR) {
      return -Errno.EINVAL;
    }
    int index = (int) tag;
    if (tag == 0 || index < 0 || index >= capacity) {
      return -Errno.ESTALE;
    }
    if (!LONGS.compareAndSet(armed, index, tag, 0L)) {
      return -Errno.ESTALE;
    }
    int at = index * STRIDE;
    records[at + START] = startNs;
    records[at + END] = endNs;
    records[at + BUSY] = busyNs;
    records[at + STATUS] = status;
    records[at + DETAIL] = detail;
    long ticket = (long) LONGS.getAndAdd(tail, TAIL, 1L);
    INTS.setRelease(ring, (int) ticket & mask, index + 1);
    if (Thread.currentThread() != agent) {
      bell.ring();
    }
    return 0;
  }

  /** Agent: completions with this tag are accepted from now on. */
  void arm(int index, long tag) {
    LONGS.setRelease(armed, index, tag);
  }

  /** Agent: whether the tag was still armed; if not, its completion is in the ring or soon will. */
  boolean disarm(int index, long tag) {
    return LONGS.compareAndSet(armed, index, tag, 0L);
  }

  /** Agent: index of the next completion, whose fields stay until it is armed again; -1 if none. */
  int take() {
    int slot = (int) head & mask;
    int index = (int) INTS.getAcquire(ring, slot);
    if (index == 0) {
      return -1;
    }
    INTS.setOpaque(ring, slot, 0);
    head++;
    return index - 1;
  }

  int status(int index) {
    return (int) records[index * STRIDE + STATUS];
  }

  long startNs(int index) {
    return records[index * STRIDE + START];
  }

  long endNs(int index) {
    return records[index * STRIDE + END];
  }

  long busyNs(int index) {
    return records[index * STRIDE + BUSY];
  }

  int detail(int index) {
    return (int) records[index * STRIDE + DETAIL];
  }
}
