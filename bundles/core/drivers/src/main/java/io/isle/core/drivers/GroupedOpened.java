package io.isle.core.drivers;

import io.isle.api.base.Errno;
import io.isle.api.base.GroupNames;
import io.isle.api.device.DeviceHost;
import io.isle.api.device.HostFault;
import io.isle.api.device.Isolation;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.DriverException;
import java.util.List;
import java.util.Optional;

/**
 * An open device in several processes, of which the device's own is watched and shown as the
 * device's.
 */
record GroupedOpened(OpenedDevice root, GroupHosts all, AccelDevice device)
    implements OpenedDevice {
  @Override
  public Optional<Long> hostPid() {
    return root.hostPid();
  }

  @Override
  public Isolation isolation() {
    return Isolation.GROUP;
  }

  @Override
  public List<DeviceHost> hosts() {
    return all.list();
  }

  @Override
  public Optional<GroupHosts> groups() {
    return Optional.of(all);
  }

  @Override
  public List<String> services() {
    return root.services();
  }

  @Override
  public List<String> interfaces() {
    return root.interfaces();
  }

  @Override
  public List<String> sandbox() {
    return root.sandbox();
  }

  @Override
  public void end(boolean orderly) {
    try {
      all.endAll(orderly);
    } finally {
      root.end(orderly);
    }
  }

  @Override
  public void release() {
    root.release();
  }

  @Override
  public long heartbeat() {
    return root.heartbeat();
  }

  @Override
  public boolean requestsWait() {
    return root.requestsWait();
  }

  @Override
  public boolean probe() {
    return root.probe();
  }

  @Override
  public void tellLog() {
    root.tellLog();
  }

  @Override
  public void abandon(RecoveryCause cause) {
    root.abandon(cause);
  }

  @Override
  public void injectFault(HostFault fault) {
    root.injectFault(fault);
  }

  @Override
  public void injectFault(String group, HostFault fault) {
    if (group.equals(GroupNames.DEFAULT)) {
      root.injectFault(fault);
      return;
    }
    all.find(group)
        .orElseThrow(
            () ->
                new DriverException(
                    Errno.ENOENT, "group " + group + " has no process now; it has no contexts"))
        .port
        .opened()
        .injectFault(fault);
  }
}
