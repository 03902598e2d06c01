package io.isle.core.accel;

import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Permission;
import io.isle.api.tenancy.TenancyException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** As many capabilities as a test wants, without a table. */
public final class TestCapabilities implements Capabilities {
  /** Is called when something was revoked. */
  volatile Runnable revoked = () -> {};

  /** Is called when something was checked and found good. */
  volatile Runnable afterCheck = () -> {};

  private int issued;

  public Capability grant(String tenant, Set<Permission> permissions, long maxMemoryBytes) {
    return issue(new CapabilitySpec(tenant, permissions, Optional.empty(), maxMemoryBytes));
  }

  @Override
  public synchronized Capability issue(CapabilitySpec spec) {
    return new Granted(Ids.of(Ids.CAPABILITY, 1, issued++), spec, spec.tenant());
  }

  @Override
  public synchronized Capability delegate(Capability from, CapabilitySpec spec) {
    return new Granted(Ids.of(Ids.CAPABILITY, 1, issued++), spec, from.owner());
  }

  @Override
  public void revoke(Capability capability) {
    ((Granted) capability).valid = false;
    revoked.run();
  }

  @Override
  public void check(Capability capability, Permission permission, String device) {
    if (!capability.valid()) {
      throw new TenancyException(Errno.EREVOKED, "revoked");
    }
    if (!capability.permissions().contains(permission)) {
      throw new TenancyException(Errno.EACCES, permission.text());
    }
    afterCheck.run();
  }

  @Override
  public List<Capability> list() {
    return List.of();
  }

  @Override
  public Optional<Capability> find(long id) {
    return Optional.empty();
  }

  private static final class Granted implements Capability {
    private final long id;
    private final CapabilitySpec spec;
    private final String owner;
    private volatile boolean valid = true;

    Granted(long id, CapabilitySpec spec, String owner) {
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
      return valid;
    }
  }
}
