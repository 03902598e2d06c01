package io.isle.core.accel.managed;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.core.accel.context.ContextRecord;
import io.isle.core.accel.device.OpenDevice;
import io.isle.core.accel.settings.AccelLimits;
import io.isle.core.accel.submit.ExecutionContext;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Pauses an engine and gets its work off the device: it may end by itself, then is asked to leave,
 * then reset. What the device gives back unbegun stays pending. May block.
 */
final class Drain {
  private static final System.Logger LOG = System.getLogger(Drain.class.getName());

  private final DeviceEngine engine;
  private final DeviceContexts contexts;
  private final Supplier<AccelLimits> limits;
  private final BooleanSupplier alive;

  /**
   * @param limits name how long work that was told to stop may stay
   * @param alive whether the device can still do work
   */
  Drain(
      DeviceEngine engine,
      DeviceContexts contexts,
      Supplier<AccelLimits> limits,
      BooleanSupplier alive) {
    this.engine = engine;
    this.contexts = contexts;
    this.limits = limits;
    this.alive = alive;
  }

  /**
   * @param bound for work to end by itself
   * @return whether all of it did
   */
  boolean run(Duration bound) {
    if (engine.pause(bound, alive)) {
      return true;
    }
    Duration grace = Duration.ofMillis(limits.get().hangGraceMs());
    if (alive.getAsBoolean() && !(engine.evict() && engine.pause(grace, alive))) {
      stopAll();
      boolean ignored = engine.pause(grace, alive);
    }
    return false;
  }

  /** Resets the contexts with work in flight; a device that hangs is not asked twice. */
  private void stopAll() {
    for (ExecutionContext context : contexts.list()) {
      ContextRecord record = context.record();
      AtomicBoolean some = new AtomicBoolean();
      engine.call(() -> some.set(engine.ending().stopWith(record, -Errno.EINTR)));
      Optional<OpenDevice> device = some.get() ? record.bound() : Optional.empty();
      if (!alive.getAsBoolean() || device.isPresent() && !reset(record, device.get())) {
        return;
      }
    }
  }

  /** Returns false when the device did not answer. */
  private static boolean reset(ContextRecord record, OpenDevice device) {
    try {
      device.lane().run("reset context", () -> device.device().resetContext(record.id()));
      return true;
    } catch (AccelException e) {
      LOG.log(System.Logger.Level.WARNING, e.getMessage());
      return e.code() != Errno.ETIMEDOUT;
    }
  }
}
