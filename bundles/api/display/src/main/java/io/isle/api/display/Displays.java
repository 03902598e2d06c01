package io.isle.api.display;

import io.isle.api.accel.AccelException;
import io.isle.api.tenancy.Capability;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The screens of accelerators, offered by the owner of displays. When that restarts, screens show
 * on what they show and framebuffers stay, but each {@link Display} has ended: get it again from
 * the service that follows. Thread-safe.
 */
@ProviderType
public interface Displays {
  /**
   * The screens of a device; good over reloads of its driver.
   *
   * @param device id, such as {@code display0}
   * @param capability ACCEL_DISPLAY is needed
   * @throws AccelException ENODEV; EINTR while it recovers; ENOTSUP for a device without a display
   * @throws io.isle.api.tenancy.TenancyException EACCES or EREVOKED
   */
  Display of(String device, Capability capability);
}
