package io.isle.core.drivers.groups;

import io.isle.api.base.Errno;
import io.isle.api.base.GroupNames;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.DriverException;
import io.isle.core.drivers.driver.DriverProcess;
import io.isle.core.drivers.driver.OpenedDevice;
import java.util.List;
import java.util.Optional;

/**
 * An open device in several processes, of which the device's own is watched and shown as the
 * device's.
 */
public record GroupedOpened(OpenedDevice root, GroupHosts all, AccelDevice device)
    implements OpenedDevice {
  /** A device as this, if its groups have processes of their own. */
  public static Optional<GroupedOpened> of(OpenedDevice device) {
    return device instanceof GroupedOpened apart ? Optional.of(apart) : Optional.empty();
  }

  @Override
  public Optional<DriverProcess> process() {
    return root.process();
  }

  /**
   * The process of a group.
   *
   * @throws DriverException ENOENT when it has none now
   */
  public DriverProcess process(String group) {
    OpenedDevice opened =
        group.equals(GroupNames.DEFAULT)
            ? root
            : all.find(group)
                .orElseThrow(
                    () ->
                        new DriverException(
                            Errno.ENOENT,
                            "group "
                                + group
                                + " has no driver process now, because the group has"
                                + " no contexts"))
                .port
                .opened();
    return opened.process().orElseThrow();
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
  public void tellLog() {
    root.tellLog();
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
}
