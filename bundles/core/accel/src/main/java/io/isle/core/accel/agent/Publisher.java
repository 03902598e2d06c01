package io.isle.core.accel.agent;

import io.isle.core.accel.machine.ContextSet;
import io.isle.core.accel.machine.PointEndings;
import io.isle.core.accel.queue.Waiters;
import java.lang.invoke.VarHandle;

/**
 * Makes ended points visible and tells of them, then wakes threads that wait for them: those of
 * contexts of realtime priority first, and only so many at a time that the device does not wait for
 * it. The agent's.
 */
final class Publisher {
  /** Threads that one run wakes, of all contexts. */
  static final int AT_ONCE = 64;

  /** Threads that one run wakes of one context, and keeps for those that are not realtime. */
  static final int OF_ONE = 16;

  private final PointEndings endings;
  private final Round urgent;
  private final Round touched;

  Publisher(PointEndings endings) {
    this.endings = endings;
    this.urgent = new Round(endings.urgent());
    this.touched = new Round(endings.touched());
  }

  /**
   * Wakes by turns: each run goes on behind the last one, and a context whose turn it was or that
   * came since has to wait until all others had theirs.
   */
  private final class Round {
    private final ContextSet contexts;

    /** The turn is that of the one before this position; it goes down to the first. */
    private int turn;

    Round(ContextSet contexts) {
      this.contexts = contexts;
    }

    /** Wakes up to {@code most} threads; returns how many more there may be. */
    int wake(int most) {
      int left = most;
      for (int n = contexts.size(); n > 0 && left > 0; n--) {
        turn = Math.min(turn == 0 ? contexts.size() : turn, contexts.size()) - 1;
        int c = contexts.get(turn);
        int woken = endings.queue(c).waiters.wake(Math.min(left, OF_ONE));
        left -= Waiters.count(woken);
        if (!Waiters.mayBeMore(woken)) {
          contexts.remove(c);
        }
      }
      return left;
    }
  }

  /** Returns how many contexts have threads that are left for the next run. */
  int run() {
    if (endings.urgent().size() + endings.touched().size() == 0) {
      return 0;
    }
    advance(endings.urgent());
    advance(endings.touched());
    // Sleepers register, then look at the timeline; we advance it, then look for sleepers.
    VarHandle.fullFence();
    tell(endings.urgent());
    tell(endings.touched());
    int left = urgent.wake(AT_ONCE - OF_ONE);
    int ignored = touched.wake(left + OF_ONE);
    return endings.urgent().size() + endings.touched().size();
  }

  private void advance(ContextSet contexts) {
    for (int i = 0; i < contexts.size(); i++) {
      int c = contexts.get(i);
      endings.queue(c).timeline.advance(endings.prefix(c));
    }
  }

  private void tell(ContextSet contexts) {
    for (int i = 0; i < contexts.size(); i++) {
      endings.tell(contexts.get(i));
    }
  }
}
