package io.isle.core.testing;

import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Permission;
import io.isle.api.tenancy.TenancyException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Issues as many capabilities as a test wants, without limits and audit. A check looks at validity
 * and permissions; devices are not compared. Thread-safe.
 */
public final class FakeCapabilities implements Capabilities {
  private final Map<Long, Granted> valid = new LinkedHashMap<>();
  private volatile Runnable revoked = () -> {};
  private volatile Runnable checked = () -> {};
  private int issued;

  /** Runs {@code now} after each revocation. */
  public void onRevoked(Runnable now) {
    revoked = now;
  }

  /** Runs {@code now} after each check that found a capability good. */
  public void onChecked(Runnable now) {
    checked = now;
  }

  /** Issues a capability for any device. */
  public Capability grant(String tenant, Permission... permissions) {
    return grant(tenant, Set.of(permissions), 0);
  }

  /** Issues a capability for any device. */
  public Capability grant(String tenant, Set<Permission> permissions, long maxMemoryBytes) {
    return issue(new CapabilitySpec(tenant, permissions, Optional.empty(), maxMemoryBytes));
  }

  @Override
  public Capability issue(CapabilitySpec spec) {
    return add(spec, spec.tenant());
  }

  @Override
  public Capability delegate(Capability from, CapabilitySpec spec) {
    return add(spec, from.owner());
  }

  private synchronized Capability add(CapabilitySpec spec, String owner) {
    Granted granted = new Granted(Ids.of(Ids.CAPABILITY, 1, issued++), spec, owner);
    valid.put(granted.id(), granted);
    return granted;
  }

  @Override
  public void revoke(Capability capability) {
    synchronized (this) {
      Granted granted = valid.remove(capability.id());
      if (granted != null) {
        granted.valid = false;
      }
    }
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
    checked.run();
  }

  /** Those that are valid, oldest first. */
  @Override
  public synchronized List<Capability> list() {
    return List.copyOf(valid.values());
  }

  @Override
  public synchronized Optional<Capability> find(long id) {
    return Optional.ofNullable(valid.get(id));
  }

  /** To ask whether one is valid allocates nothing: submissions ask. */
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
