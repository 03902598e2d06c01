package io.isle.spin.nic.live;

import io.isle.api.base.Errno;
import io.isle.api.base.MonotonicClock;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.SpinException;
import io.isle.spin.nic.engine.NicAgent;
import io.isle.spin.nic.plan.ContextPlan;

/** The exchange of the handlers of a context at work. Belongs to {@link NicThread}. */
final class ContextSwap {
  private static final long LONGEST_TASK_NS = 10_000_000_000L;
  private static final long NS_PER_MS = 1_000_000;

  private final NicAgent agent;
  private final MonotonicClock clock;

  ContextSwap(NicAgent agent, MonotonicClock clock) {
    this.agent = agent;
    this.clock = clock;
  }

  /**
   * Replaces the handlers, and leaves the old ones where that fails.
   *
   * @param swapMs time for open messages to end
   */
  void swap(ContextLife life, HandlerImage image, int swapMs) {
    int number = life.number;
    agent.run(engine -> engine.core().swap().hold(number));
    try {
      if (!drains(number, swapMs * NS_PER_MS)) {
        agent.run(engine -> engine.core().swap().abortOpen(number, engine.tick()));
        if (!drains(number, LONGEST_TASK_NS)) {
          throw new SpinException(
              Errno.ETIMEDOUT, life.spec.name() + ": its handlers do not end; it keeps them");
        }
      }
      agent.run(
          engine -> {
            engine.drain(number);
            life.slot.pause();
          });
      exchange(life, image);
    } finally {
      agent.run(engine -> engine.core().swap().resume(number, engine.tick()));
    }
  }

  private void exchange(ContextLife life, HandlerImage image) {
    try {
      life.handlers.replace(image);
    } finally {
      // the new ones, or again the old ones
      ContextPlan plan =
          ContextLife.plan(
              life.spec, life.handlers.image(), life.capability, life.handlers.handlers());
      life.plan = plan;
      agent.run(
          engine -> {
            life.slot.use(life.handlers.rings());
            engine.core().swap().replace(life.number, plan);
          });
    }
  }

  private boolean drains(int number, long limitNs) {
    long begin = clock.nanoTime();
    while (!agent.call(engine -> engine.core().swap().drained(number))) {
      if (clock.nanoTime() - begin >= limitNs) {
        return false;
      }
      try {
        Thread.sleep(1);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new SpinException(Errno.ECANCELED, "the exchange of handlers was interrupted", e);
      }
    }
    return true;
  }
}
