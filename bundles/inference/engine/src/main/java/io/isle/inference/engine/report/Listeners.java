package io.isle.inference.engine.report;

import io.isle.api.inference.InferenceListener;
import io.isle.lib.agent.SerialExecutor;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;

/**
 * Tells listeners of events, in order, on a thread of its own. What one throws is logged, and the
 * others are told. While so many events wait that a listener must be stuck, further ones are
 * counted only.
 */
final class Listeners implements AutoCloseable {
  /** Most events that wait. */
  static final int WAITING = 1024;

  private final Logger log;
  private final List<InferenceListener> listeners = new CopyOnWriteArrayList<>();
  private final SerialExecutor thread = new SerialExecutor("isle-inference-events");
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicLong lost = new AtomicLong();

  Listeners(Logger log) {
    this.log = log;
  }

  void add(InferenceListener listener) {
    listeners.add(listener);
  }

  void remove(InferenceListener listener) {
    listeners.remove(listener);
  }

  void tell(Consumer<InferenceListener> event) {
    if (listeners.isEmpty()) {
      return;
    }
    if (waiting.incrementAndGet() > WAITING) {
      waiting.decrementAndGet();
      lost.incrementAndGet();
      return;
    }
    if (!thread.post(() -> deliver(event))) {
      waiting.decrementAndGet();
    }
  }

  private void deliver(Consumer<InferenceListener> event) {
    waiting.decrementAndGet();
    long missed = lost.getAndSet(0);
    if (missed > 0) {
      log.warn("{} events of inference were lost: {} were waiting for listeners", missed, WAITING);
    }
    for (InferenceListener listener : listeners) {
      try {
        event.accept(listener);
      } catch (RuntimeException | Error e) {
        log.warn("the inference listener {} failed", listener.getClass().getName(), e);
      }
    }
  }

  @Override
  public void close() {
    thread.close();
  }
}
