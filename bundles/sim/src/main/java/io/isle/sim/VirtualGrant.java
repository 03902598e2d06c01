package io.isle.sim;

import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.Permission;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** May do everything; admission is the simulator's. */
record VirtualGrant(String group) implements Capability {
  VirtualGrant {
    Objects.requireNonNull(group);
  }

  @Override
  public long id() {
    return 0;
  }

  @Override
  public String tenant() {
    return group;
  }

  @Override
  public String owner() {
    return group;
  }

  @Override
  public Set<Permission> permissions() {
    return Set.of(Permission.values());
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
    return true;
  }
}
