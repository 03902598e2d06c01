package io.isle.core.accel.queue;

import io.isle.api.accel.Context;
import io.isle.api.base.MonotonicClock;
import io.isle.api.device.Priority;
import io.isle.core.accel.settings.AccelLimits;
import java.util.function.Supplier;

/**
 * The threads that tell tenants of one device's completions, and the one for what they defer.
 * Thread-safe.
 */
public final class CallbackThreads {
  private final String deviceId;
  private final Supplier<AccelLimits> limits;
  private final MonotonicClock clock;
  private final DeferredWork deferred;

  /**
   * Tells of all contexts of realtime priority but those that held it up; null before the first one
   * that listens.
   */
  private CompletionThread realtime;

  private final CompletionThread.Elsewhere elsewhere =
      new CompletionThread.Elsewhere() {
        @Override
        public void move(Notifier slow) {
          var ignored = realtimeFor(slow);
        }

        @Override
        public void leave(CompletionThread stuck, Notifier waiting) {
          leaveRealtime(stuck, waiting);
        }
      };

  public CallbackThreads(String deviceId, Supplier<AccelLimits> limits, MonotonicClock clock) {
    this.deviceId = deviceId;
    this.clock = clock;
    this.limits = limits;
    this.deferred = new DeferredWork(deviceId);
  }

  /** A notifier that tells of what ends from now on, until it is stopped. */
  public Notifier start(Context context, QueueRecord record) {
    Notifier notifier = new Notifier(context, record, () -> limits.get().callbackWarnMs(), clock);
    if (record.priority() == Priority.REALTIME) {
      serveRealtime(notifier);
    } else {
      CompletionThread own =
          new CompletionThread(
              "isle-notifier-" + deviceId,
              Thread.NORM_PRIORITY,
              () -> {},
              CompletionThread.Elsewhere.NOWHERE);
      boolean ignored = own.serve(notifier);
    }
    return notifier;
  }

  private synchronized void serveRealtime(Notifier notifier) {
    if (realtime == null || !realtime.serve(notifier)) {
      realtime = realtimeFor(notifier);
    }
  }

  private synchronized void leaveRealtime(CompletionThread stuck, Notifier waiting) {
    if (realtime == stuck) {
      realtime = null;
    }
    serveRealtime(waiting);
  }

  /** A further thread, which begins with this context. */
  private CompletionThread realtimeFor(Notifier notifier) {
    CompletionThread next =
        new CompletionThread(
            "isle-notifier-rt-" + deviceId,
            Thread.MAX_PRIORITY,
            () -> RealtimeScheduling.obtain(deviceId),
            elsewhere);
    boolean ignored = next.serve(notifier);
    return next;
  }

  /** See {@link io.isle.api.accel.Context#defer}. */
  public int defer(QueueRecord record, Runnable work) {
    return deferred.defer(record, work);
  }

  /** The managed device is closed. Notifiers end with their contexts. */
  public void close() {
    deferred.close(limits.get().controlTimeoutMs());
  }
}
