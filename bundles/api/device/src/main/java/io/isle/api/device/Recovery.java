package io.isle.api.device;

import java.util.List;

/**
 * One recovery of a device: what happened and how long each phase took (accelerator framework,
 * 42.3.2). Immutable.
 *
 * @param number counts the recoveries of the device, from 1
 * @param startedEpochMs wall clock, milliseconds since 1970
 * @param fromEpoch epoch that ended
 * @param toEpoch epoch that followed; {@code fromEpoch} if none did
 * @param attempts openings that were tried
 * @param standby whether the warm standby took over
 * @param outcome what became of the device
 * @param phases in order, repeated for each attempt
 * @param totalNs from detection to the end of the last phase
 * @param work what became of contexts and their work
 * @param group whose process was replaced while the device stayed open; empty for the whole device
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

  /** Of the whole device. */
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

  /** Phases in their order; {@code RecoveryParticipant} tells what belongs to each. */
  public enum Phase {
    DRAIN,
    FREEZE,
    FAIL,
    REVOKE,
    RESET,
    OPEN,
    REBUILD,
    THAW
  }

  /** How a recovery ended. */
  public enum Outcome {
    RECOVERED,
    /** Each attempt failed. */
    FAILED,
    /** The driver broke the protocol too often. */
    QUARANTINED
  }

  /** Nanoseconds that a phase took. */
  public record PhaseTime(Phase phase, long ns) {}

  /**
   * Counts of contexts, submissions and memory objects.
   *
   * @param contexts rebuilt
   * @param interrupted submissions that ended with EINTR
   * @param kept pending submissions that go on
   * @param replayed submissions in flight that start again
   * @param restored memory objects whose contents were carried over
   * @param lost memory objects whose contents are gone until written again
   */
  public record Work(
      int contexts, long interrupted, long kept, long replayed, int restored, int lost) {
    public static final Work NONE = new Work(0, 0, 0, 0, 0, 0);
  }
}
