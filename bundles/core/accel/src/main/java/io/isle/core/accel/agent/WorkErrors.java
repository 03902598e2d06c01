package io.isle.core.accel.agent;

import io.isle.core.accel.queue.ContextQueue;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;

/**
 * Work that a device ended with an error of its driver: it is counted, and told in the background,
 * at most one a second, for a tenant can bring about as many as it likes. The agent's.
 */
final class WorkErrors {
  private static final long PAUSE_NS = TimeUnit.SECONDS.toNanos(1);

  private final Executor background;
  private final LongFunction<? extends Optional<? extends ServedContext>> contexts;
  private final WorkErrorListener listener;
  private boolean any;
  private long toldNs;
  private long count;

  /**
   * @param contexts finds a context by its core id
   * @param background where {@code listener} hears of it
   */
  WorkErrors(
      Executor background,
      LongFunction<? extends Optional<? extends ServedContext>> contexts,
      WorkErrorListener listener) {
    this.background = background;
    this.contexts = contexts;
    this.listener = listener;
  }

  /** A submission has ended so, and its record is there. */
  void onEnd(ContextQueue queue, long point, long now) {
    count++;
    if (any && now - toldNs < PAUSE_NS) {
      return;
    }
    any = true;
    toldNs = now;
    long all = count;
    contexts
        .apply(queue.contextId)
        .ifPresent(
            context -> background.execute(() -> listener.failed(context.record(), point, all)));
  }
}
