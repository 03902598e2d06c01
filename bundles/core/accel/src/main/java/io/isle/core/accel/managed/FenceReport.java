package io.isle.core.accel.managed;

import io.isle.api.accel.AccelAdmin.FenceDeviceInfo;
import io.isle.api.accel.AccelAdmin.FenceInfo;
import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.driver.FenceProtocolSupport;
import io.isle.core.accel.context.ContextRecord;
import io.isle.core.accel.fence.FenceDevice;
import io.isle.core.accel.fence.FenceSource;
import io.isle.core.accel.fence.FenceTable;
import io.isle.core.accel.queue.PointTimeline;
import io.isle.core.accel.submit.ExecutionContext;
import io.isle.core.accel.timeline.HostTimelineHandle;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Timelines and devices as an administrator sees them. */
public final class FenceReport {
  private FenceReport() {}

  /**
   * Timelines of all contexts of these devices, then those of all tenants.
   *
   * @param now on the clock of deadlines
   */
  public static List<FenceInfo> timelines(List<ManagedDevice> devices, FenceTable table, long now) {
    Stream<FenceInfo> ofContexts =
        devices.stream()
            .flatMap(device -> device.contexts().stream())
            .filter(context -> !context.record().over())
            .map(FenceReport::ofContext);
    Stream<FenceInfo> ofTenants =
        table.list().stream()
            .filter(HostTimelineHandle.class::isInstance)
            .map(source -> ofTenant((HostTimelineHandle) source, now));
    return Stream.concat(ofContexts, ofTenants).toList();
  }

  private static FenceInfo ofContext(ExecutionContext context) {
    ContextRecord record = context.record();
    PointTimeline timeline = record.queue().timeline;
    // in this order: points that end meanwhile were submitted before
    long ended = timeline.ended();
    return info(
        timeline,
        Optional.of(record.services().deviceId()),
        record.spec().name(),
        ended,
        timeline.submitted(),
        record.state().text(),
        OptionalLong.empty());
  }

  private static FenceInfo ofTenant(HostTimelineHandle timeline, long now) {
    long reached = timeline.ended();
    int over = -timeline.outcome(reached + 1, now);
    long deadline = timeline.nextDeadline();
    return info(
        timeline,
        Optional.empty(),
        timeline.name(),
        reached,
        reached,
        over == Errno.EINPROGRESS || over == 0 ? "open" : Errno.name(over),
        over != Errno.EINPROGRESS || deadline == Long.MAX_VALUE
            ? OptionalLong.empty()
            : OptionalLong.of(Math.max(0, deadline - now)));
  }

  private static FenceInfo info(
      FenceSource source,
      Optional<String> device,
      String name,
      long ended,
      long submitted,
      String state,
      OptionalLong deadline) {
    return new FenceInfo(
        Ids.text(source.id()),
        device.isEmpty(),
        device,
        name,
        source.owner().tenant(),
        ended,
        submitted,
        state,
        deadline,
        source.owner().shared());
  }

  public static List<FenceDeviceInfo> devices(List<ManagedDevice> devices) {
    return devices.stream().map(device -> ofDevice(device.fence())).toList();
  }

  private static FenceDeviceInfo ofDevice(FenceDevice device) {
    FenceProtocolSupport support = device.support();
    return new FenceDeviceInfo(
        device.id(),
        device.domain(),
        device.keepsWaits() ? "device" : "core",
        support.timelineSemaphores(),
        support.hwCrossDevice(),
        support.cpuSignal(),
        support.maxFenceValue(),
        device.waiting(),
        device.handed(),
        device.timeouts(),
        device.refused());
  }
}
