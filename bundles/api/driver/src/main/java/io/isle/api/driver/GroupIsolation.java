package io.isle.api.driver;

import io.isle.api.base.GroupNames;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Extension of an {@link AccelDevice} with several processes, one a group of tenants: a fault of a
 * process affects only the contexts of its group. Contexts of the group {@link GroupNames#DEFAULT}
 * are made on the device itself, all others on the result of {@link #open}. Data calls, and control
 * calls without a context, are made on the device itself.
 */
@ProviderType
public interface GroupIsolation {
  /**
   * The process of a group, started if necessary, with a time limit. This method is not a control
   * call: each process has a lane of its own, so no group waits for another group. Thread-safe.
   *
   * <p>The lane of the returned opening accepts control calls about contexts of this group, their
   * objects and its extensions, but no data calls. Its {@link AccelDevice#alive} refers to the
   * process. After the end of the process, the opening refuses all calls, and the next call of this
   * method returns another opening. The process ends some time after the end of its last context.
   *
   * @throws DriverException ENOSPC beyond the limit of processes; EAGAIN while the start of a
   *     process is delayed after repeated ends; EINTR during a replacement of the group's process
   *     or the device; or an exception of the opening
   */
  DevicePort.Opening open(String group);
}
