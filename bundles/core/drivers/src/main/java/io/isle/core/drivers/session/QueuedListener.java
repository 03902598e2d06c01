package io.isle.core.drivers.session;

import io.isle.api.driver.DeviceSession;
import io.isle.api.driver.DeviceSessionListener;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A listener with a queue of events: one call at a time, in order, on a thread that lives only
 * while the queue has events. Thread-safe; only {@link #leave} waits.
 */
final class QueuedListener {
  private static final Logger LOG = LoggerFactory.getLogger(QueuedListener.class);

  private final ServiceThreads threads;

  /** The newest session of each device that it knows of, as far as it is told. */
  private final Map<String, DeviceSession> known = new HashMap<>();

  private final Deque<Consumer<DeviceSessionListener>> next = new ArrayDeque<>();

  /** Null once it has gone. */
  private DeviceSessionListener listener;

  /** Whether a thread is at it. */
  private boolean running;

  /** The thread that is inside the listener; null while none is. */
  private Thread inside;

  QueuedListener(DeviceSessionListener listener, ServiceThreads threads) {
    this.listener = listener;
    this.threads = threads;
  }

  /** The device can be used, for the first time or again. */
  synchronized void open(DeviceSession now) {
    DeviceSession before = known.put(now.id(), now);
    if (before == null) {
      tell(it -> it.opened(now));
    } else if (before != now) {
      tell(it -> it.replaced(before, now));
    }
  }

  /** Nothing follows. */
  synchronized void closed(String device) {
    DeviceSession last = known.remove(device);
    if (last != null) {
      tell(it -> it.closed(last));
    }
  }

  private void tell(Consumer<DeviceSessionListener> call) {
    if (listener == null) {
      return;
    }
    next.add(call);
    if (!running) {
      running = threads.execute(this::run);
    }
  }

  private void run() {
    while (true) {
      Consumer<DeviceSessionListener> call;
      DeviceSessionListener to;
      synchronized (this) {
        inside = null;
        notifyAll();
        call = next.poll();
        running = call != null;
        if (!running) {
          return;
        }
        inside = Thread.currentThread();
        to = listener;
      }
      try {
        call.accept(to);
      } catch (Throwable e) {
        // code in other languages throws checked exceptions too
        LOG.warn("device listener {} failed", to.getClass().getName(), e);
      }
    }
  }

  /** Tells nothing more; waits, no longer than the bound, for a call that is being made. */
  synchronized void leave(Duration bound) {
    listener = null;
    next.clear();
    known.clear();
    long deadline = System.nanoTime() + bound.toNanos();
    try {
      while (inside != null && inside != Thread.currentThread()) {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (left <= 0) {
          LOG.warn("a device listener is being removed, but does not return");
          return;
        }
        wait(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
