package io.isle.apps.jobs;

import io.isle.api.base.Errno;
import io.isle.api.tenancy.Group;
import io.isle.api.tenancy.GroupKey;
import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.GroupStatus;
import io.isle.api.tenancy.GroupTree;
import io.isle.api.tenancy.Groups;
import io.isle.api.tenancy.TenancyException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/** Groups with their settings files; weights above 10000 are refused. */
final class FakeGroups implements Groups {
  private final FakeCore core;
  private final Map<String, GroupSpec> groups = new LinkedHashMap<>();

  /** What was asked for, in order. */
  final List<String> calls = new ArrayList<>();

  /** A group whose caller is interrupted while it is made. */
  volatile String interrupts;

  FakeGroups(FakeCore core) {
    this.core = core;
  }

  @Override
  public synchronized GroupTree tree() {
    return GroupTree.of(groups.values());
  }

  @Override
  public List<GroupKey> keys() {
    return List.of();
  }

  @Override
  public synchronized List<GroupStatus> list() {
    return groups.keySet().stream().map(name -> find(name).orElseThrow()).toList();
  }

  @Override
  public synchronized Optional<GroupStatus> find(String name) {
    return tree()
        .find(name)
        .map(found -> new GroupStatus(name, Optional.of(found), found.own(), "", List.of()));
  }

  @Override
  public Group create(String name, Map<String, String> settings) {
    return create(GroupSpec.of(name, settings));
  }

  @Override
  public synchronized Group create(GroupSpec spec) {
    calls.add("create " + spec.name());
    if (spec.keys().getOrDefault("compute.weight", "").equals("10001")) {
      throw new TenancyException(
          Errno.ERANGE, spec.name(), "compute.weight", "10001 is not in 1..10000");
    }
    List<GroupSpec> all = new ArrayList<>(groups.values());
    all.add(spec);
    Group made = GroupTree.of(all).find(spec.name()).orElseThrow();
    groups.put(spec.name(), spec);
    core.set("io.isle.group-" + spec.name(), spec.keys());
    if (spec.name().equals(interrupts)) {
      Thread.currentThread().interrupt();
      throw new TenancyException(Errno.ECANCELED, "creating " + interrupts + " was interrupted");
    }
    return made;
  }

  @Override
  public Group set(String name, Map<String, String> changes) {
    throw new UnsupportedOperationException();
  }

  @Override
  public synchronized void delete(String name) {
    calls.add("delete " + name);
    if (groups.remove(name) == null) {
      throw new TenancyException(Errno.ENOENT, "unknown group " + name);
    }
    boolean ignored = core.delete("io.isle.group-" + name);
  }

  @Override
  public SequencedMap<String, Long> stat(String name) {
    throw new UnsupportedOperationException();
  }
}
