package io.isle.benchmarks.ring;

import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.Permission;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** The right of a benchmark's process, which has no other tenant. */
enum AnyCapability implements Capability {
  INSTANCE;

  @Override
  public long id() {
    return 1;
  }

  @Override
  public String tenant() {
    return "bench";
  }

  @Override
  public String owner() {
    return "bench";
  }

  @Override
  public String group() {
    return "default";
  }

  @Override
  public Set<Permission> permissions() {
    return EnumSet.allOf(Permission.class);
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
