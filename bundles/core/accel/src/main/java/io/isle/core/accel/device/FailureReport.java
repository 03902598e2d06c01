package io.isle.core.accel.device;

import io.isle.api.device.RecoveryCause;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Tells the owner of drivers, once an opening, why the open device can do no more. Thread-safe. */
public final class FailureReport {
  private static final System.Logger LOG = System.getLogger(FailureReport.class.getName());

  private final String deviceId;
  private final Executor threads;

  /** Whether there is nothing to tell of, or it was told already. */
  private final AtomicBoolean told = new AtomicBoolean(true);

  private volatile Consumer<RecoveryCause> listener = cause -> {};

  /**
   * @param threads run what is given to them, each in a thread of its own
   */
  public FailureReport(String deviceId, Executor threads) {
    this.deviceId = deviceId;
    this.threads = threads;
  }

  public void listen(Consumer<RecoveryCause> next) {
    listener = next;
  }

  /** Whether a failure is told from now on. */
  public void open(boolean now) {
    told.set(!now);
  }

  /** From the agent, which may not wait here. */
  public void failed(RecoveryCause cause) {
    if (told.compareAndSet(false, true)) {
      Telling.of(
          threads,
          () -> LOG.log(System.Logger.Level.ERROR, "{0} failed: {1}", deviceId, cause.text()),
          () -> listener.accept(cause));
    }
  }
}
