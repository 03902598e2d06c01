package io.isle.faces.shell.accel;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.AccelAdmin.FenceDeviceInfo;
import io.isle.api.accel.AccelAdmin.FenceInfo;
import io.isle.faces.shell.IsleCommand;
import io.isle.faces.shell.Output;
import io.isle.faces.shell.RequiredRole;
import io.isle.faces.shell.Role;
import io.isle.faces.shell.Sizes;
import io.isle.faces.shell.Table;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** {@code accel:fences}. */
@Service
@Command(
    scope = "accel",
    name = "fences",
    description =
        "Lists the timelines that submissions can wait for, or the fence support of devices")
@RequiredRole(Role.VIEWER)
public final class FencesCommand extends IsleCommand {
  @Option(
      name = "--devices",
      description = "List devices instead: fence domain, supported kinds of fences, failed waits")
  private boolean devices;

  @Override
  protected void run(Output output) {
    if (devices) {
      output.table(deviceTable(), services().with(AccelAdmin.class, AccelAdmin::fenceDevices));
    } else {
      output.table(timelineTable(), services().with(AccelAdmin.class, AccelAdmin::fences));
    }
  }

  /** For tests. */
  FencesCommand ofDevices() {
    devices = true;
    return this;
  }

  private static Table<FenceInfo> timelineTable() {
    return new Table<FenceInfo>(
            "No timelines. Each open context has a timeline; tenants can create host timelines.")
        .column("id", FenceInfo::id)
        .column("kind", fence -> fence.host() ? "host" : "context")
        .jsonOnly("device", fence -> fence.owner().orElse(null))
        .shownOnly("device", fence -> fence.owner().orElse("-"))
        .column("name", FenceInfo::name)
        .column("tenant", FenceInfo::tenant)
        .column("ended", FenceInfo::ended)
        .column("submitted", FenceInfo::submitted)
        .column("state", FenceInfo::state)
        .jsonOnly(
            "deadline_ns",
            fence -> fence.deadlineNs().isPresent() ? fence.deadlineNs().getAsLong() : null)
        .shownOnly(
            "deadline",
            fence ->
                fence.deadlineNs().isPresent() ? Sizes.nanos(fence.deadlineNs().getAsLong()) : "-")
        .jsonOnly("shared_with", FenceInfo::sharedWith);
  }

  private static Table<FenceDeviceInfo> deviceTable() {
    return new Table<FenceDeviceInfo>("No devices.")
        .column("device", FenceDeviceInfo::device)
        .column("domain", FenceDeviceInfo::domain)
        .column("mode", FenceDeviceInfo::mode)
        .column("timeline_semaphores", FenceDeviceInfo::timelineSemaphores)
        .column("hw_cross_device", FenceDeviceInfo::hwCrossDevice)
        .column("cpu_signal", FenceDeviceInfo::cpuSignal)
        .column("max_fence_value", FenceDeviceInfo::maxFenceValue)
        .column("waiting", FenceDeviceInfo::waiting)
        .column("handed", FenceDeviceInfo::handed)
        .column("timeouts", FenceDeviceInfo::timeouts)
        .column("refused", FenceDeviceInfo::refused);
  }
}
