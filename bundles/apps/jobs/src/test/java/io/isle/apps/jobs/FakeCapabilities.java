package io.isle.apps.jobs;

import io.isle.api.tenancy.Capabilities;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Permission;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Gives out capabilities and remembers which were not revoked. */
final class FakeCapabilities implements Capabilities {
  private final List<Capability> issued = new ArrayList<>();

  @Override
  public synchronized Capability issue(CapabilitySpec spec) {
    Capability capability = new Issued(spec);
    issued.add(capability);
    return capability;
  }

  @Override
  public Capability delegate(Capability from, CapabilitySpec spec) {
    return issue(spec);
  }

  @Override
  public synchronized void revoke(Capability capability) {
    issued.remove(capability);
  }

  @Override
  public void check(Capability capability, Permission permission, String device) {}

  @Override
  public synchronized List<Capability> list() {
    return List.copyOf(issued);
  }

  @Override
  public Optional<Capability> find(long id) {
    return Optional.empty();
  }

  private record Issued(CapabilitySpec spec) implements Capability {
    @Override
    public long id() {
      return 1;
    }

    @Override
    public String tenant() {
      return spec.tenant();
    }

    @Override
    public String owner() {
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
      return 0;
    }

    @Override
    public boolean valid() {
      return true;
    }
  }
}
