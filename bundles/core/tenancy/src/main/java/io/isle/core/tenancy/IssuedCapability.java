package io.isle.core.tenancy;

import io.isle.api.base.Ids;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Permission;
import java.util.Optional;
import java.util.Set;

/** A capability of a {@link CapabilityTable}; immutable but for its end. */
final class IssuedCapability implements Capability {
  private final long id;
  private final long age;
  private final IssuedCapability parent;
  private final CapabilitySpec spec;
  private final int depth;
  private volatile boolean valid = true;

  /**
   * @param age grows from capability to capability
   * @param parent from which it was delegated, or null
   */
  IssuedCapability(long id, long age, IssuedCapability parent, CapabilitySpec spec) {
    this.id = id;
    this.age = age;
    this.parent = parent;
    this.spec = parent == null ? spec : spec.inGroup(parent.group());
    this.depth = parent == null ? 0 : parent.depth + 1;
  }

  @Override
  public long id() {
    return id;
  }

  @Override
  public String tenant() {
    return spec.tenant();
  }

  @Override
  public String group() {
    return spec.group();
  }

  @Override
  public Set<Permission> permissions() {
    return spec.permissions();
  }

  @Override
  public Optional<String> device() {
    return spec.device();
  }

  @Override
  public long maxMemoryBytes() {
    return spec.maxMemoryBytes();
  }

  @Override
  public int depth() {
    return depth;
  }

  @Override
  public boolean valid() {
    return valid;
  }

  long age() {
    return age;
  }

  IssuedCapability parent() {
    return parent;
  }

  @Override
  public String owner() {
    return parent == null ? spec.tenant() : parent.owner();
  }

  void revoke() {
    valid = false;
  }

  String text() {
    return "capability " + Ids.text(id) + " of " + spec.tenant();
  }
}
