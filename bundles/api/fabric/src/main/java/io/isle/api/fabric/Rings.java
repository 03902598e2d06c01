package io.isle.api.fabric;

import io.isle.api.tenancy.Capability;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Rings for tenants. One object a bundle: when the bundle stops, its endpoints are closed.
 * Thread-safe.
 */
@ProviderType
public interface Rings {
  /** All nodes of this platform, by name. */
  List<RingNodeInfo> nodes();

  /**
   * Opens the endpoint of a master. A master has one endpoint at a time.
   *
   * @param capability requires FABRIC_RING; its revocation closes the endpoint
   * @param node name of a node with role master
   * @throws RingException ENOENT without such a node; EPERM for another role; EBUSY while another
   *     endpoint is open
   * @throws io.isle.api.tenancy.TenancyException EACCES or EREVOKED
   */
  RingEndpoint open(Capability capability, String node);
}
