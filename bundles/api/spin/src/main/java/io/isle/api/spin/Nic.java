package io.isle.api.spin;

import io.isle.api.tenancy.Capability;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** A programmable network interface. Thread-safe. */
@ProviderType
public interface Nic {
  /** A snapshot of the interface. */
  NicInfo info();

  /** Snapshots of all its HPUs. */
  List<HpuInfo> hpus();

  /** Snapshots of all queues of its contexts that have a message or packets. */
  List<QueueInfo> queues();

  /**
   * Attaches handlers to the packets that match their rules. Whoever may do this sees these
   * packets, and sends any frame. The context ends with the bundle of the caller.
   *
   * @param capability requires SPIN_ATTACH, ACCEL_COMPUTE and ACCEL_MEMORY
   * @throws SpinException EBUSY if the slot has a context; ENOSPC without a free slot; EEXIST for a
   *     name in use; ENOENT for unknown handlers; EINVAL for a program without handlers, with the
   *     driver's text; ECLOSED after the end of the interface
   * @throws io.isle.api.base.IsleException with the code of the device that has the HPUs
   * @throws io.isle.api.tenancy.TenancyException EACCES; EREVOKED
   */
  ExecutionContext attach(Capability capability, ContextSpec spec);
}
