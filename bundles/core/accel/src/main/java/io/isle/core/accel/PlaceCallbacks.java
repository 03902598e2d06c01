package io.isle.core.accel;

import io.isle.api.base.MonotonicClock;
import io.isle.api.device.Priority;
import java.util.function.Supplier;

/**
 * The threads that tell tenants of one device's completions, and the one for what they defer.
 * Thread-safe.
 */
final class PlaceCallbacks {
  private final String deviceId;
  private final Supplier<AccelLimits> limits;
  private final MonotonicClock clock;
  private final DeferredWork deferred;

  /**
   * Tells of all contexts of realtime priority but those that held it up; null before the first one
   * that listens.
   */
  private CompletionThread realtime;

  PlaceCallbacks(String deviceId, Supplier<AccelLimits> limits, MonotonicClock clock) {
    this.deviceId = deviceId;
    this.clock = clock;
    this.limits = limits;
    this.deferred = new DeferredWork(deviceId);
  }

  /** A notifier that tells of what ends from now on, until it is stopped. */
  Notifier start(ExecutionContext context) {
    ContextSeat seat = context.seat();
    Notifier notifier = new Notifier(context, () -> limits.get().callbackWarnMs(), clock);
    if (seat.priority() == Priority.REALTIME) {
      serveRealtime(notifier);
    } else {
      CompletionThread own =
          new CompletionThread(
              "isle-notifier-" + deviceId, Thread.NORM_PRIORITY, () -> {}, other -> {});
      boolean ignored = own.serve(notifier);
    }
    return notifier;
  }

  private synchronized void serveRealtime(Notifier notifier) {
    if (realtime == null || !realtime.serve(notifier)) {
      realtime = realtimeFor(notifier);
    }
  }

  /** A further thread, which begins with this context. */
  private CompletionThread realtimeFor(Notifier notifier) {
    CompletionThread next =
        new CompletionThread(
            "isle-notifier-rt-" + deviceId,
            Thread.MAX_PRIORITY,
            () -> RealtimeScheduling.obtain(deviceId),
            this::realtimeFor);
    boolean ignored = next.serve(notifier);
    return next;
  }

  /** See {@link io.isle.api.accel.Context#defer}. */
  int defer(ContextSeat seat, Runnable work) {
    return deferred.defer(seat, work);
  }

  /** The place goes. Notifiers end with their contexts. */
  void close() {
    deferred.close(limits.get().controlTimeoutMs());
  }
}
