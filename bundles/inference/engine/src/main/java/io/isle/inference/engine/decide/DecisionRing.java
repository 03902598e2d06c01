package io.isle.inference.engine.decide;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The last decisions of one decider, and the outcomes that have been told of them. One thread
 * writes, one tells outcomes, one reads. Lossy: new records take the place of old ones.
 */
final class DecisionRing {
  /** No record has this ticket. */
  static final long NONE = 0;

  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle TAIL;

  static {
    try {
      TAIL = MethodHandles.lookup().findVarHandle(DecisionRing.class, "tail", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final int features;
  private final int outputs;
  private final int stride;
  private final int mask;

  /** Features, answer and author of each record. */
  private final int[] data;

  /** Ticket of each record; NONE while it is written. */
  private final long[] tickets;

  /** Tickets whose outcome is known, in the order of the outcomes; NONE while it is written. */
  private final long[] told;

  private final int[] actuals;

  /** Of each record, the last ticket with an outcome; of the thread that tells outcomes. */
  private final long[] last;

  private long newest;
  private volatile long tail;
  private long head;
  private long lost;

  /**
   * @param outstanding decisions without an outcome that are kept; there are twice as many records
   */
  DecisionRing(int outstanding, int features, int outputs) {
    int records = records(outstanding);
    this.features = features;
    this.outputs = outputs;
    stride = features + outputs + 1;
    mask = records - 1;
    data = new int[records * stride];
    tickets = new long[records];
    told = new long[records];
    actuals = new int[records * outputs];
    last = new long[records];
  }

  /** Records of a ring: twice as many as outstanding decisions, rounded up to a power of two. */
  static int records(int outstanding) {
    return Integer.highestOneBit(2 * outstanding - 1) << 1;
  }

  /** Bytes of a ring. */
  static long bytes(int outstanding, int features, int outputs) {
    return records(outstanding) * (4L * (features + 2 * outputs + 1) + 3 * Long.BYTES);
  }

  /** Keeps a decision. Of the deciding thread. */
  long write(int[] in, int[] out, boolean byModel) {
    long ticket = newest + 1;
    newest = ticket;
    int i = (int) ticket & mask;
    LONGS.setOpaque(tickets, i, NONE);
    VarHandle.storeStoreFence();
    int at = i * stride;
    System.arraycopy(in, 0, data, at, features);
    System.arraycopy(out, 0, data, at + features, outputs);
    data[at + features + outputs] = byModel ? 1 : 0;
    LONGS.setRelease(tickets, i, ticket);
    return ticket;
  }

  /** Keeps an outcome, unless the decision is forgotten or has one. Of one other thread. */
  void tell(long ticket, int[] actual) {
    int i = (int) ticket & mask;
    if (ticket <= NONE
        || actual.length < outputs
        || (long) LONGS.getAcquire(tickets, i) != ticket
        || last[i] == ticket) {
      return;
    }
    last[i] = ticket;
    long at = tail;
    int j = (int) at & mask;
    LONGS.setOpaque(told, j, NONE);
    VarHandle.storeStoreFence();
    System.arraycopy(actual, 0, actuals, j * outputs, outputs);
    LONGS.setRelease(told, j, ticket);
    TAIL.setRelease(this, at + 1);
  }

  /** Copies the next decision with an outcome. Of the reading thread; false if there is none. */
  boolean read(DecisionRecord into) {
    long end = tail;
    if (end - head > mask + 1L) {
      lost += end - head - mask - 1;
      head = end - mask - 1;
    }
    while (head < end) {
      int j = (int) head & mask;
      head++;
      if (copied(j, into)) {
        return true;
      }
      lost++;
    }
    return false;
  }

  private boolean copied(int j, DecisionRecord into) {
    long ticket = (long) LONGS.getAcquire(told, j);
    int i = (int) ticket & mask;
    if (ticket == NONE || (long) LONGS.getAcquire(tickets, i) != ticket) {
      return false;
    }
    int at = i * stride;
    System.arraycopy(data, at, into.features, 0, features);
    System.arraycopy(data, at + features, into.answer, 0, outputs);
    System.arraycopy(actuals, j * outputs, into.actual, 0, outputs);
    into.byModel = data[at + features + outputs] != 0;
    VarHandle.loadLoadFence();
    return (long) LONGS.getOpaque(tickets, i) == ticket
        && (long) LONGS.getOpaque(told, j) == ticket;
  }

  /** Decisions with an outcome that were overwritten before they were read. */
  long lost() {
    return lost;
  }
}
