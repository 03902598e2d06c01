package io.isle.api.accel;

import io.isle.api.tenancy.Capability;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The accelerators of this node. Each bundle gets a service object of its own; the stop of the
 * bundle closes its contexts and host timelines. Thread-safe.
 */
@ProviderType
public interface Accelerators {
  /** All open accelerators, by id. */
  List<AcceleratorInfo> list();

  /**
   * The best device for a query: the device with the fewest contexts, then the first by id (name,
   * then number).
   *
   * @throws AccelException ENODEV if no device fits, with the query and the reason for each device;
   *     EINTR while a device that would fit recovers
   */
  Accelerator find(DeviceQuery query);

  /**
   * The guarantee and usage of a group with all groups below it, for each device of the capability,
   * by device. For the root, the result covers only contexts directly in the root, because the
   * groups below are other tenants.
   *
   * @param capability any valid capability
   * @param group the capability's own group
   * @throws io.isle.api.tenancy.TenancyException EACCES for another group; EREVOKED
   */
  List<GroupUsage> usage(Capability capability, String group);

  /**
   * Makes a timeline that the capability's tenant signals. The stop of the bundle closes the
   * timeline.
   *
   * @param capability requires ACCEL_COMPUTE
   * @param name a name for output, 1 to 64 characters
   * @throws AccelException EINVAL for a bad name; ENOSPC if the tenant has 256 host timelines, or
   *     the node 1024
   * @throws io.isle.api.tenancy.TenancyException EACCES or EREVOKED
   */
  HostTimeline hostTimeline(Capability capability, String name);
}
