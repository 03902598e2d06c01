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
   * The process of a group, which is started if there is none. Control: one call a group at a time;
   * calls of different groups may be made at the same time, and calls of the device itself too.
   *
   * <p>What is returned takes control calls about contexts of this group, what they own, and its
   * optional parts; it takes no data calls. Its {@link AccelDevice#alive} is that of the process.
   * When the process has ended it refuses everything with ENODEV, and the next call of this method
   * gives another. The process is ended when its last context has been gone for a while.
   *
   * @throws DriverException ENOSPC when there are as many processes as may be; EAGAIN while the
   *     group's ended so often that no further one is started yet; or what an opening throws
   */
  AccelDevice open(String group);
}
