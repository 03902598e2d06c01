package io.isle.api.accel;

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
}
