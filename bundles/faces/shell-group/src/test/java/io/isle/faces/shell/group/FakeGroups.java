package io.isle.faces.shell.group;

import io.isle.api.base.Errno;
import io.isle.api.tenancy.Group;
import io.isle.api.tenancy.GroupCounters;
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
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;

/** Groups of a test, in force at once. */
final class FakeGroups implements Groups {
  GroupTree tree = GroupTree.EMPTY;
  final List<GroupStatus> held = new ArrayList<>();
  final SequencedMap<String, Long> counters =
      new LinkedHashMap<>(
          Map.of(GroupCounters.COMPUTE_TIME_US, 5L, GroupCounters.MEMORY_CURRENT, 1024L));

  @Override
  public GroupTree tree() {
    return tree;
  }

  @Override
  public List<GroupKey> keys() {
    return List.of(
        new GroupKey("devices", "device ids", "all", "the devices"),
        new GroupKey("compute.weight", "1 to 10000", "100", "a share"));
  }

  @Override
  public List<GroupStatus> list() {
    List<GroupStatus> all = new ArrayList<>();
    for (Group group : tree.groups()) {
      Map<String, String> file = new TreeMap<>(group.own());
      group.parent().ifPresent(parent -> file.put("parent", parent));
      List<String> unknown =
          group.own().keySet().stream()
              .filter(key -> keys().stream().noneMatch(known -> known.key().equals(key)))
              .toList();
      all.add(new GroupStatus(group.name(), Optional.of(group), file, "", unknown));
    }
    all.addAll(held);
    return all;
  }

  @Override
  public Optional<GroupStatus> find(String name) {
    return list().stream().filter(status -> status.name().equals(name)).findFirst();
  }

  @Override
  public Group create(String name, Map<String, String> settings) {
    return create(GroupSpec.of(name, settings));
  }

  @Override
  public Group create(GroupSpec spec) {
    tree = tree.with(spec);
    return tree.find(spec.name()).orElseThrow();
  }

  @Override
  public Group set(String name, Map<String, String> changes) {
    Group group =
        tree.find(name)
            .orElseThrow(() -> new TenancyException(Errno.ENOENT, "there is no group " + name));
    Map<String, String> raw = new TreeMap<>(group.own());
    group.parent().ifPresent(parent -> raw.put("parent", parent));
    raw.putAll(changes);
    raw.values().removeIf(Objects::isNull);
    return create(GroupSpec.of(name, raw));
  }

  @Override
  public void delete(String name) {
    tree = tree.without(name);
  }

  @Override
  public SequencedMap<String, Long> stat(String name) {
    return counters;
  }
}
