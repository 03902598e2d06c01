package io.isle.inference.heuristics;

import io.isle.api.inference.Decider;

/**
 * A decider whose answers are checked. Uses the decider of the engine while there is one, and the
 * rule otherwise. The engine's decider is in use by at most one deciding thread and one that tells
 * outcomes; {@link #detach} waits for both.
 */
final class CheckedDecider implements Decider {
  /** Tickets carry the number of the engine's decider above these bits. */
  private static final int TICKET_BITS = 48;

  private final CheckedPoint point;
  private final String group;
  private final int outstanding;
  private final Runnable yieldHook;
  private final int features;
  private volatile Attached attached;
  private volatile boolean deciding;
  private volatile boolean telling;
  private int attachments;
  private boolean closed;

  /** A decider of the engine, and its number. */
  private record Attached(Decider decider, long number) {}

  CheckedDecider(CheckedPoint point, String group, int outstanding, Runnable yieldHook) {
    this.point = point;
    this.group = group;
    this.outstanding = outstanding;
    this.yieldHook = yieldHook;
    features = point.spec().features().size();
  }

  String group() {
    return group;
  }

  int outstanding() {
    return outstanding;
  }

  Runnable yieldHook() {
    return yieldHook;
  }

  @Override
  public long decide(int[] in, int[] out) {
    deciding = true;
    Attached now = attached;
    long ticket = 0;
    if (now == null || in.length < features) {
      point.heuristic(in, out);
    } else {
      long inner = now.decider().decide(in, out);
      point.check(in, out);
      // an engine whose tickets need more bits gets no outcomes, rather than wrong ones
      ticket = inner >>> TICKET_BITS == 0 ? now.number() << TICKET_BITS | inner : 0;
    }
    deciding = false;
    return ticket;
  }

  @Override
  public void outcome(long ticket, int[] actual) {
    telling = true;
    Attached now = attached;
    if (now != null && ticket >>> TICKET_BITS == now.number()) {
      now.decider().outcome(ticket & (1L << TICKET_BITS) - 1, actual);
    }
    telling = false;
  }

  @Override
  public void requestYield() {
    Attached now = attached;
    if (now != null) {
      now.decider().requestYield();
    }
  }

  @Override
  public boolean wanted() {
    Attached now = attached;
    return now != null && now.decider().wanted();
  }

  /** The engine has given a decider. */
  synchronized void attach(Decider decider) {
    if (closed) {
      decider.close();
      return;
    }
    attachments = attachments % 0x7FFF + 1;
    attached = new Attached(decider, attachments);
  }

  /** On return nobody uses the decider of the engine, unless a call hangs until {@code end}. */
  synchronized void detach(long end) {
    Attached was = attached;
    if (was == null) {
      return;
    }
    attached = null;
    while ((deciding || telling) && System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
    was.decider().close();
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      // its owner closes it, so no call of its owner runs
      detach(System.nanoTime());
    }
    point.forget(this);
  }
}
