package io.isle.api.driver;

import io.isle.api.base.GroupNames;
import org.osgi.annotation.versioning.ProviderType;

/**
 * An optional part of an {@link AccelDevice} whose contexts lie in several processes, one a group
 * of tenants: what becomes of one process concerns the contexts of its group alone. Contexts of the
 * group {@link GroupNames#DEFAULT} are made on the device itself, all others on what {@link #open}
 * gives. Data calls and control calls that name no context are made on the device itself.
 */
@ProviderType
public interface GroupIsolation {
  /**
   * The process of a group, which is started if there is none; that is bounded. Not a control call:
   * each process has a lane of its own, so that no group waits for another's. Thread-safe.
   *
   * <p>What is returned takes, on its lane, control calls about contexts of this group, what they
   * own, and its optional parts; it takes no data calls. Its {@link AccelDevice#alive} is that of
   * the process. When the process has ended it refuses everything, and the next call of this method
   * gives another. The process is ended when its last context has been gone for a while.
   *
   * @throws DriverException ENOSPC when there are as many processes as may be; EAGAIN while the
   *     group's ended so often that no further one is started yet; EINTR while the group's process
   *     or the device is being replaced; or what an opening throws
   */
  DevicePort.Opening open(String group);
}
