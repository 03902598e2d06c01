package io.isle.api.accel;

import io.isle.api.tenancy.Capability;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The accelerators of this node. Each bundle gets a service object of its own: contexts that it
 * opened are closed when it stops. Thread-safe.
 */
@ProviderType
public interface Accelerators {
  /** All that are open, by id. */
  List<AcceleratorInfo> list();

  /**
   * The device that fits best: fewest contexts, then by id (name, then number).
   *
   * @throws AccelException ENODEV when none fits, naming what was asked for and why each device is
   *     not it; EINTR when one will that recovers
   */
  Accelerator find(DeviceQuery query);

  /**
   * What a group with all below it was promised and has, a row a device that the capability holds
   * for, by device. Of the root it is what contexts directly in it have: the groups below it are
   * other tenants.
   *
   * @param capability any that is valid
   * @param group the capability's own
   * @throws io.isle.api.tenancy.TenancyException EACCES for another group; EREVOKED
   */
  List<GroupUsage> usage(Capability capability, String group);

  /**
   * Makes a timeline that the capability's tenant signals; closed when the bundle stops.
   *
   * @param capability ACCEL_COMPUTE is needed
   * @param name for people; 1 to 64 characters
   * @throws AccelException EINVAL for a bad name; ENOSPC when the tenant has 256, or the node 1024
   * @throws io.isle.api.tenancy.TenancyException EACCES or EREVOKED
   */
  HostTimeline hostTimeline(Capability capability, String name);
}
