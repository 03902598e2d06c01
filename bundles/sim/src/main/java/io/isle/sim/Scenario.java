package io.isle.sim;

import io.isle.api.device.Priority;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.tenancy.GroupSpec;
import io.isle.core.accel.group.Bandwidth;
import io.isle.core.accel.sched.SchedulingPolicy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What is to be simulated. Immutable.
 *
 * @param seed of everything that is drawn
 * @param durationNs virtual time
 * @param steps by time, then as in the file
 */
record Scenario(
    long seed,
    long durationNs,
    List<Device> devices,
    List<Located<GroupSpec>> groups,
    List<Tenant> tenants,
    List<Step> steps) {

  /** A value, and where it stands. */
  record Located<T>(T value, Field at) {}

  /**
   * A device.
   *
   * @param units compute units
   * @param parallel submissions that it runs side by side, each on an equal part of the units
   * @param checkIntervalNs of a submission's own time: where work can leave
   * @param preemptNs from there to its completion
   * @param resumes whether the progress of what left is kept
   * @param depth most submissions in flight; 0 for the default
   * @param policy empty for the default
   * @param stall time that a submission stands still on the device, besides its work, each time
   *     that it begins there
   * @param failures part of the submissions that fail, 0 to 1
   */
  record Device(
      String id,
      int units,
      int parallel,
      DeviceInfo.Preemption preemption,
      long checkIntervalNs,
      long preemptNs,
      boolean resumes,
      int depth,
      Optional<SchedulingPolicy> policy,
      Times stall,
      double failures) {}

  /**
   * A context and what its tenant does.
   *
   * @param priority empty for its group's
   * @param guarantee its own
   * @param queue most that are submitted and not ended: a power of two
   * @param limitNs execution limit of a submission; 0 for none
   * @param deadlineNs from a submission's arrival to its end; 0 for none
   * @param opensNs when it comes
   */
  record Tenant(
      String name,
      String device,
      String group,
      Optional<Priority> priority,
      Optional<Bandwidth> guarantee,
      int queue,
      long limitNs,
      boolean keepPending,
      long deadlineNs,
      long opensNs,
      Arrivals arrivals,
      Times service,
      Field at) {}

  /** When submissions come. */
  sealed interface Arrivals {
    /** The queue is full at any time. */
    record Flood() implements Arrivals {}

    /** So many at a time, each followed by the next after the time to think. */
    record Closed(int count, Times think) implements Arrivals {}

    /** So many every period; each burst late by a part of {@code jitterNs}. */
    record Periodic(long periodNs, long phaseNs, int burst, long jitterNs) implements Arrivals {}

    /** At random, with this time between two on the average. */
    record Poisson(long meanNs) implements Arrivals {}

    /** At these times after the context has come, in ascending order. */
    record Trace(List<Long> timesNs) implements Arrivals {}
  }

  /** Where lengths of time come from. */
  sealed interface Times {
    record Constant(long ns) implements Times {}

    record Uniform(long minNs, long maxNs) implements Times {}

    record Exponential(long meanNs) implements Times {}

    /** In turn, over and over. */
    record Listed(List<Long> ns) implements Times {}
  }

  /** Something that happens at a time. */
  sealed interface Step {
    long atNs();

    Field at();

    /** A group comes or changes. */
    record SetGroup(long atNs, String group, Map<String, String> set, Set<String> unset, Field at)
        implements Step {}

    /** Its contexts end, oldest first, then it goes. */
    record RemoveGroup(long atNs, String group, Field at) implements Step {}

    record Open(long atNs, String context, Field at) implements Step {}

    record Close(long atNs, String context, Field at) implements Step {}

    /** A device crashes. */
    record Lose(long atNs, String device, Field at) implements Step {}

    /** It is there again. */
    record Recover(long atNs, String device, Field at) implements Step {}

    /** The clock that the platform reads is set forward, or back. */
    record Jump(long atNs, long byNs, Field at) implements Step {}
  }
}
