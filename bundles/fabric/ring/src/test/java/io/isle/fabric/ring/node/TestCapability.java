package io.isle.fabric.ring.node;

import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.Permission;
import java.util.Optional;
import java.util.Set;

/** A capability that a test revokes. */
public final class TestCapability implements Capability {
  public volatile boolean valid = true;

  @Override
  public long id() {
    return 1;
  }

  @Override
  public String tenant() {
    return "t";
  }

  @Override
  public String owner() {
    return "t";
  }

  @Override
  public String group() {
    return "default";
  }

  @Override
  public Set<Permission> permissions() {
    return Set.of(Permission.FABRIC_RING);
  }

  @Override
  public Optional<String> device() {
    return Optional.empty();
  }

  @Override
  public long maxMemoryBytes() {
    return 0;
  }

  @Override
  public int depth() {
    return 0;
  }

  @Override
  public boolean valid() {
    return valid;
  }
}
