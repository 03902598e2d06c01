package io.isle.api.net;

import io.isle.api.tenancy.Capability;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Nets for tenants. Each using bundle gets an object of its own, whose ports end with the bundle.
 * Attachments and refusals are audited. Thread-safe.
 */
@ProviderType
public interface Nets {
  /**
   * Takes and sends frames of a net, as an app does, by a port of the tenant's own. The port ends
   * by its close, with the net, and with the revocation of the capability.
   *
   * @param capability with the permission NET_ATTACH
   * @param ports 1 to 16 UDP ports
   * @param depth frames that wait in each link, a power of two, 128 to 262144
   * @throws io.isle.api.tenancy.TenancyException EACCES with the missing permission; EREVOKED
   * @throws NetException ENOENT without the net; ENODEV if the net has failed; EINVAL; EBUSY for a
   *     port of another app; ENOSPC, ENOMEM with the limit; ECLOSED if the bundle is stopped
   */
  FramePort attach(Capability capability, String net, List<Integer> ports, int depth);

  /**
   * Reads the frames of all apps of a net in both directions, and the dropped ones: a port that
   * sends nothing. It ends as a port of {@link #attach}.
   *
   * @param capability with the permission NET_CAPTURE
   * @throws io.isle.api.tenancy.TenancyException EACCES with the missing permission; EREVOKED
   * @throws NetException ENOENT without the net; ENODEV if the net has failed; ECLOSED if the
   *     bundle is stopped
   */
  FramePort capture(Capability capability, String net);
}
