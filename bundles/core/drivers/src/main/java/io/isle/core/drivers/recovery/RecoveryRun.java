package io.isle.core.drivers.recovery;

import io.isle.api.base.MonotonicClock;
import io.isle.api.device.Recovery;
import io.isle.api.device.Recovery.Phase;
import io.isle.api.device.Recovery.PhaseTime;
import io.isle.api.device.RecoveryCause;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A recovery under way: what it has cost so far. One thread at a time. */
public final class RecoveryRun {
  private final String device;
  private final String group;
  private final boolean first;
  private final RecoveryCause cause;
  private final int fromEpoch;
  private final long detectedNs;
  private final long startedEpochMs = System.currentTimeMillis();
  private final MonotonicClock clock;
  private final List<PhaseTime> phases = new ArrayList<>();
  private int attempts;
  private boolean standby;
  private Recovery.Work work = Recovery.Work.NONE;

  /**
   * @param first whether nothing was there before, so that this recovers nothing
   * @param detectedNs when the cause was noticed
   */
  public RecoveryRun(
      String device,
      boolean first,
      RecoveryCause cause,
      int fromEpoch,
      long detectedNs,
      MonotonicClock clock) {
    this(device, "", first, cause, fromEpoch, detectedNs, clock);
  }

  /**
   * @param group whose process is replaced; empty for the whole device
   */
  public RecoveryRun(
      String device,
      String group,
      boolean first,
      RecoveryCause cause,
      int fromEpoch,
      long detectedNs,
      MonotonicClock clock) {
    this.device = device;
    this.group = group;
    this.first = first;
    this.cause = cause;
    this.fromEpoch = fromEpoch;
    this.detectedNs = detectedNs;
    this.clock = clock;
  }

  public RecoveryCause cause() {
    return cause;
  }

  /** The group whose process is replaced; empty for the whole device. */
  Optional<String> group() {
    return group.isEmpty() ? Optional.empty() : Optional.of(group);
  }

  /** Whether it is an opening rather than a recovery. */
  boolean isFirst() {
    return first;
  }

  /** Whether something was recovered: also by a first opening, of contexts that waited for it. */
  public boolean isRecovery() {
    return !first || work.contexts() > 0;
  }

  /** Does a phase and notes how long it took, also when it throws. */
  public void phase(Phase phase, Runnable work) {
    long begin = clock.nanoTime();
    try {
      work.run();
    } finally {
      phases.add(new PhaseTime(phase, clock.nanoTime() - begin));
    }
  }

  /** An opening is being tried. */
  public void attempt(boolean warm) {
    attempts++;
    standby = warm;
  }

  public void work(Recovery.Work done) {
    work = done;
  }

  /** The whole of it. */
  public Recovery end(long number, Recovery.Outcome outcome, int toEpoch) {
    boolean recovered = outcome == Recovery.Outcome.RECOVERED;
    return new Recovery(
        device,
        number,
        cause,
        startedEpochMs,
        fromEpoch,
        recovered ? toEpoch : fromEpoch,
        attempts,
        recovered && standby,
        outcome,
        phases,
        clock.nanoTime() - detectedNs,
        work,
        group);
  }
}
