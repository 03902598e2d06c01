package io.isle.core.drivers.supervision;

import io.isle.api.device.DeviceState;
import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.DevicePort;
import io.isle.core.drivers.recovery.RecoveryRun;
import io.isle.core.drivers.recovery.RecoveryText;
import io.isle.core.drivers.recovery.Supervision;
import java.time.Duration;
import java.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tries to open a device, again and again and in every planned way, until it is open or given up.
 * Belongs to the device's lane, on which it comes back after delays.
 */
final class Attempts {
  private static final Logger LOG = LoggerFactory.getLogger(Attempts.class);

  private final DeviceParts parts;
  private final DeviceStatus status;
  private final Runnable over;
  private DevicePort port;
  private RecoveryRun run;
  private Future<?> retry;

  /**
   * @param port port that the device is attached to; null while there is none
   * @param over runs when it is open or given up
   */
  Attempts(DeviceParts parts, DevicePort port, DeviceStatus status, Runnable over) {
    this.parts = parts;
    this.port = port;
    this.status = status;
    this.over = over;
  }

  DevicePort port() {
    return port;
  }

  void port(DevicePort now) {
    port = now;
  }

  /** Whether the next attempt is to come. */
  boolean waiting() {
    return retry != null;
  }

  /** The recovery under way; null while there is none. */
  RecoveryRun run() {
    return run;
  }

  /** From now on they belong to this recovery; none (null) ends without a word. */
  void belongTo(RecoveryRun recovery) {
    run = recovery;
  }

  /** Keeps the next one from coming. */
  void cancel() {
    if (retry != null) {
      retry.cancel(false);
      retry = null;
    }
  }

  /** The next one, in the way that the plan says now. */
  void attempt() {
    retry = null;
    try {
      parts.sequence().attachTo(port);
      parts
          .sequence()
          .bringIn(run, parts.plan().version(), parts.plan().spec(), parts.machine().suspended());
    } catch (RuntimeException | Error e) {
      failed(
          parts
              .openings()
              .saidOfNewest()
              .map(AttemptFailure::of)
              .orElseGet(() -> AttemptFailure.of(e)));
      return;
    }
    parts.machine().opened();
    guarded(parts.plan()::worked);
    guarded(() -> end(Recovery.Outcome.RECOVERED));
    guarded(status::opened);
    over.run();
  }

  /** A defect in what is done about an end must not keep those who wait for it waiting. */
  private void guarded(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      LOG.error("{}: a step at the end of the recovery failed because of a defect", parts.id(), e);
    }
  }

  private void failed(AttemptFailure failure) {
    RecoveryCause cause = failure.cause();
    LOG.warn("{}: the device cannot be opened: {}", parts.id(), cause.text(), failure.defect());
    boolean lasting = failure.refused() && run.cause().kind().orderly();
    follow(
        parts.machine().attemptFailed(parts.shared().clock().nanoTime(), cause, lasting),
        cause.text());
  }

  /** Does what comes next after a failure. */
  void follow(Supervision.Next next, String why) {
    switch (next) {
      case Supervision.Next.Open(long delay) when delay == 0 -> attempt();
      case Supervision.Next.Open(long delay) -> {
        retry = parts.lane().after(Duration.ofNanos(delay), this::attempt);
        status.report(why + "; trying again");
      }
      case Supervision.Next.GiveUp() -> giveUp(why);
    }
  }

  private void giveUp(String why) {
    boolean quarantined = parts.machine().state() == DeviceState.QUARANTINED;
    if (!quarantined && parts.plan().next(why)) {
      LOG.warn("{}: {}", parts.id(), parts.plan().note());
      parts.machine().begin(false);
      attempt();
      return;
    }
    String trouble = why + "; run 'driver:reload " + parts.id() + "'";
    guarded(() -> parts.sequence().lose(trouble));
    guarded(parts.standby()::drop);
    guarded(() -> end(quarantined ? Recovery.Outcome.QUARANTINED : Recovery.Outcome.FAILED));
    guarded(() -> status.report(trouble));
    over.run();
  }

  private void end(Recovery.Outcome outcome) {
    RecoveryRun ended = run;
    run = null;
    if (ended.isRecovery()) {
      Recovery recovery =
          parts
              .shared()
              .book()
              .enter(parts.id(), number -> ended.end(number, outcome, parts.openings().newest()));
      LOG.info("{}: {}", parts.id(), RecoveryText.line(recovery));
      parts.shared().ended().accept(recovery);
    }
  }
}
