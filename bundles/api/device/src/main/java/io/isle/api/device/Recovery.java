package io.isle.api.device;

import java.util.List;

/**
 * One recovery of a device, with its cause, phases and results (accelerator framework, 42.3.2).
 * Immutable.
 *
 * @param device id of the device
 * @param number number of the recovery of this device, from 1
 * @param cause cause of the recovery
 * @param startedEpochMs start by the wall clock, in milliseconds since 1970
 * @param fromEpoch epoch before the recovery
 * @param toEpoch epoch after the recovery; equal to {@code fromEpoch} if no opening succeeded
 * @param attempts number of tried openings
 * @param standby whether the warm standby took over
 * @param outcome result for the device
 * @param phases phases in order, repeated for each attempt
 * @param totalNs time from detection to the end of the last phase, in nanoseconds
 * @param work results for contexts, work and memory
 * @param group group of the replaced process, while the device stayed open; empty for the whole
 *     device
 */
public record Recovery(
    String device,
    long number,
    RecoveryCause cause,
    long startedEpochMs,
    int fromEpoch,
    int toEpoch,
    int attempts,
    boolean standby,
    Outcome outcome,
    List<PhaseTime> phases,
    long totalNs,
    Work work,
    String group) {
  public Recovery {
    phases = List.copyOf(phases);
  }

  /** A recovery of the whole device. */
  public Recovery(
      String device,
      long number,
      RecoveryCause cause,
      long startedEpochMs,
      int fromEpoch,
      int toEpoch,
      int attempts,
      boolean standby,
      Outcome outcome,
      List<PhaseTime> phases,
      long totalNs,
      Work work) {
    this(
        device,
        number,
        cause,
        startedEpochMs,
        fromEpoch,
        toEpoch,
        attempts,
        standby,
        outcome,
        phases,
        totalNs,
        work,
        "");
  }

  /** Phases in their order; {@code RecoveryParticipant} describes their actions. */
  public enum Phase {
    /** Running work ends, contents are saved; orderly causes only. */
    DRAIN,
    /** Contexts are interrupted; no further call reaches the driver. */
    FREEZE,
    /** Work that cannot continue ends with EINTR. */
    FAIL,
    /** The driver is closed or killed; its segments are removed. */
    REVOKE,
    /** Participants bring their own state into a known state. */
    RESET,
    /** The next driver opens the device. */
    OPEN,
    /** Contexts, programs and memory are made again. */
    REBUILD,
    /** Contexts accept work again. */
    THAW
  }

  /** Result of a recovery for the device. */
  public enum Outcome {
    /** The device is open again. */
    RECOVERED,
    /** All attempts failed. */
    FAILED,
    /** The driver violated the protocol too often. */
    QUARANTINED
  }

  /**
   * The duration of a phase.
   *
   * @param phase the phase
   * @param ns in nanoseconds
   */
  public record PhaseTime(Phase phase, long ns) {}

  /**
   * Results of a recovery for contexts, submissions and memory objects.
   *
   * @param contexts rebuilt contexts
   * @param interrupted submissions that ended with EINTR
   * @param kept pending submissions that continue
   * @param replayed submissions in flight that start again
   * @param restored memory objects with carried-over contents
   * @param lost memory objects whose contents are lost until the next write
   */
  public record Work(
      int contexts, long interrupted, long kept, long replayed, int restored, int lost) {
    /** All counts are 0. */
    public static final Work NONE = new Work(0, 0, 0, 0, 0, 0);
  }
}
