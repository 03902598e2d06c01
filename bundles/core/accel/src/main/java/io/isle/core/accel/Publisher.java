package io.isle.core.accel;

import java.lang.invoke.VarHandle;

/**
 * Makes ended points visible, then wakes whoever waits for them: contexts of realtime priority
 * first, and only so many threads at a time that the device does not wait for it. The agent's.
 */
final class Publisher {
  /** Threads that one run wakes, of all contexts. */
  static final int AT_ONCE = 64;

  /** Threads that one run wakes of one context. */
  static final int OF_ONE = 16;

  private final PointEndings endings;

  Publisher(PointEndings endings) {
    this.endings = endings;
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
    int left = wake(endings.urgent(), AT_ONCE);
    int ignored = wake(endings.touched(), left);
    return endings.urgent().size() + endings.touched().size();
  }

  private void advance(ContextSet contexts) {
    for (int i = 0; i < contexts.size(); i++) {
      int c = contexts.get(i);
      endings.queue(c).timeline.advance(endings.prefix(c));
    }
  }

  /** Wakes up to {@code most} threads; returns how many more there may be. */
  private int wake(ContextSet contexts, int most) {
    int left = most;
    for (int i = 0; i < contexts.size() && left > 0; ) {
      int c = contexts.get(i);
      int some = Math.min(left, OF_ONE);
      endings.queue(c).signalEnds(endings.prefix(c));
      int woken = endings.queue(c).wake(some);
      left -= woken;
      if (woken < some) {
        contexts.remove(c);
      } else {
        i++;
      }
    }
    return left;
  }
}
