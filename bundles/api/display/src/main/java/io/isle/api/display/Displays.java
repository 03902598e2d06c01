package io.isle.api.display;

import io.isle.api.accel.AccelException;
import io.isle.api.tenancy.Capability;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The screens of accelerators. After a restart of {@code core/display}, screens keep their pictures
 * and framebuffers stay valid, but each {@link Display} has ended: get a new one from the new
 * service. Thread-safe.
 */
@ProviderType
public interface Displays {
  /**
   * The screens of a device; the result stays valid across replacements of the driver.
   *
   * @param device id, such as {@code display0}
   * @param capability requires ACCEL_DISPLAY
   * @throws AccelException ENODEV; EINTR while the device recovers; ENOTSUP for a device without a
   *     display
   * @throws io.isle.api.tenancy.TenancyException EACCES or EREVOKED
   */
  Display of(String device, Capability capability);
}
