package io.isle.faces.shell.ring;

import io.isle.api.base.Errno;
import io.isle.api.fabric.RingEndpoint;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.api.fabric.Rings;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.Permission;
import java.util.List;
import java.util.Set;

/** One master with an endpoint. */
final class FakeRings implements Rings {
  private final FakeEndpoint endpoint;
  String tenant;

  FakeRings(FakeEndpoint endpoint) {
    this.endpoint = endpoint;
  }

  @Override
  public List<RingNodeInfo> nodes() {
    return List.of(endpoint.info());
  }

  @Override
  public RingEndpoint open(Capability capability, String node) {
    if (!node.equals(endpoint.node())) {
      throw new RingException(Errno.EPERM, node + ": only masters have endpoints");
    }
    if (!capability.permissions().equals(Set.of(Permission.FABRIC_RING))) {
      throw new RingException(Errno.EACCES, "permissions are " + capability.permissions());
    }
    tenant = capability.tenant();
    return endpoint;
  }
}
