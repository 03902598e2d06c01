package io.isle.core.accel.machine;

import io.isle.api.device.Priority;
import io.isle.api.tenancy.GroupTree;
import io.isle.core.accel.fence.FenceOwner;
import io.isle.core.accel.queue.PointTimeline;
import io.isle.core.accel.sched.SchedulingPolicy;
import io.isle.core.accel.settings.SchedulingChoice;
import java.util.Optional;

/** Schedulers of devices in tests. */
public final class Schedulers {
  private Schedulers() {}

  /** Strict priority, contexts of one priority in turn. */
  public static DeviceScheduler byPriority(int contexts, int depth) {
    DeviceScheduler scheduler =
        new DeviceScheduler("sim0", contexts, depth, HostGroups.PROCESSES, 0);
    scheduler.choose(
        new SchedulingChoice(Optional.of(SchedulingPolicy.PRIORITY), Optional.empty()));
    return scheduler;
  }

  /** Of a context in the root group without a guarantee. */
  public static SchedulingSpec spec(int priority) {
    return spec(GroupTree.ROOT, Priority.values()[priority]);
  }

  /** Without a guarantee. */
  static SchedulingSpec spec(String group, Priority priority) {
    return new SchedulingSpec(group, priority, 0, 0);
  }

  /** Of a context that nobody else knows. */
  public static PointTimeline timeline(long id, int depth) {
    return new PointTimeline(id, null, new FenceOwner("t", null, by -> {}), depth);
  }
}
