package io.isle.core.display;

import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Permission;
import io.isle.api.tenancy.TenancyException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Capabilities without a table. */
final class FakeRights implements Capabilities {
  private final Set<Long> revoked = new HashSet<>();
  private int issued;

  Capability grant(String tenant, Permission... permissions) {
    return issue(new CapabilitySpec(tenant, Set.of(permissions), Optional.empty(), 0));
  }

  @Override
  public Capability issue(CapabilitySpec spec) {
    return new Right(Ids.of(Ids.CAPABILITY, 1, issued++), spec, spec.tenant());
  }

  @Override
  public Capability delegate(Capability from, CapabilitySpec spec) {
    return new Right(Ids.of(Ids.CAPABILITY, 1, issued++), spec, from.owner());
  }

  @Override
  public void revoke(Capability capability) {
    revoked.add(capability.id());
  }

  @Override
  public void check(Capability capability, Permission permission, String device) {
    if (!capability.valid()) {
      throw new TenancyException(Errno.EREVOKED, "revoked");
    }
    if (!capability.permissions().contains(permission)) {
      throw new TenancyException(Errno.EACCES, permission.text());
    }
  }

  @Override
  public List<Capability> list() {
    return List.of();
  }

  @Override
  public Optional<Capability> find(long id) {
    return Optional.empty();
  }

  private final class Right implements Capability {
    private final long id;
    private final CapabilitySpec spec;
    private final String owner;

    Right(long id, CapabilitySpec spec, String owner) {
      this.id = id;
      this.spec = spec;
      this.owner = owner;
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
    public String owner() {
      return owner;
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
      return 0;
    }

    @Override
    public boolean valid() {
      return !revoked.contains(id);
    }
  }
}
