package io.isle.api.tenancy;

import io.isle.api.base.Errno;
import io.isle.api.base.GroupNames;
import io.isle.api.tenancy.Group.Value;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All groups at one time: a tree, always with a root. Immutable. Two trees are equal if their
 * groups are equal; groups held back do not count.
 */
public final class GroupTree {
  /** Name of the root: the group of tenants without a group. */
  public static final String ROOT = GroupNames.DEFAULT;

  /** Largest number of groups, including the root. */
  public static final int MAX_GROUPS = 256;

  /** Largest number of steps from a group to the root. */
  public static final int MAX_DEPTH = 16;

  /** A root without keys, and no other group. */
  public static final GroupTree EMPTY = of(List.of());

  private final Map<String, Group> groups;
  private final Map<String, List<Group>> children;
  private final Map<String, String> held;

  private GroupTree(
      Map<String, Group> groups, Map<String, List<Group>> children, Map<String, String> held) {
    this.groups = groups;
    this.children = children;
    this.held = held;
  }

  /**
   * Makes a tree; a missing root is added without keys.
   *
   * @throws TenancyException ENOENT for a parent that does not exist; EINVAL for a cycle; EEXIST
   *     for a duplicate name; EAGAIN beyond {@link #MAX_GROUPS} or {@link #MAX_DEPTH}
   */
  public static GroupTree of(Collection<GroupSpec> specs) {
    SortedMap<String, GroupSpec> byName = new TreeMap<>();
    byName.put(ROOT, new GroupSpec(ROOT, Optional.empty(), Collections.emptySortedMap()));
    Set<String> given = new HashSet<>();
    for (GroupSpec spec : specs) {
      if (!given.add(spec.name())) {
        throw new TenancyException(Errno.EEXIST, spec.name(), "name", "two groups have this name");
      }
      byName.put(spec.name(), spec);
    }
    if (byName.size() > MAX_GROUPS) {
      throw new TenancyException(
          Errno.EAGAIN,
          byName.lastKey(),
          "name",
          byName.size() + " groups are too many; the node has at most " + MAX_GROUPS);
    }
    Map<String, List<GroupSpec>> below = new TreeMap<>();
    for (GroupSpec spec : byName.values()) {
      spec.parent().ifPresent(parent -> add(byName, below, spec, parent));
    }
    Map<String, Group> placed = new LinkedHashMap<>();
    place(below, placed, byName.get(ROOT), Collections.emptySortedMap(), 0);
    for (GroupSpec spec : byName.values()) {
      if (!placed.containsKey(spec.name())) {
        throw new TenancyException(
            Errno.EINVAL, spec.name(), GroupSpec.PARENT, cycle(byName, spec.name()));
      }
    }
    Map<String, List<Group>> children = new LinkedHashMap<>();
    below.forEach(
        (name, specsOf) ->
            children.put(name, specsOf.stream().map(spec -> placed.get(spec.name())).toList()));
    return new GroupTree(Collections.unmodifiableMap(placed), children, Map.of());
  }

  private static void add(
      Map<String, GroupSpec> all,
      Map<String, List<GroupSpec>> below,
      GroupSpec spec,
      String parent) {
    if (!all.containsKey(parent)) {
      throw new TenancyException(
          Errno.ENOENT, spec.name(), GroupSpec.PARENT, "no group '" + parent + "'");
    }
    below.computeIfAbsent(parent, name -> new ArrayList<>()).add(spec);
  }

  /** Places groups depth first: every parent before its children. */
  private static void place(
      Map<String, List<GroupSpec>> below,
      Map<String, Group> placed,
      GroupSpec spec,
      SortedMap<String, Value> inherited,
      int depth) {
    if (depth > MAX_DEPTH) {
      throw new TenancyException(
          Errno.EAGAIN,
          spec.name(),
          GroupSpec.PARENT,
          "the group would be "
              + depth
              + " levels below the root group; the limit is "
              + MAX_DEPTH);
    }
    SortedMap<String, Value> effective = new TreeMap<>(inherited);
    spec.keys().forEach((key, text) -> effective.put(key, new Value(text, spec.name())));
    placed.put(spec.name(), new Group(spec, Collections.unmodifiableSortedMap(effective)));
    for (GroupSpec child : below.getOrDefault(spec.name(), List.of())) {
      place(below, placed, child, effective, depth + 1);
    }
  }

  private static String cycle(Map<String, GroupSpec> all, String start) {
    StringBuilder way = new StringBuilder(start);
    Set<String> seen = new HashSet<>(Set.of(start));
    String name = start;
    do {
      name = all.get(name).parent().orElseThrow();
      way.append(" -> ").append(name);
    } while (seen.add(name));
    return "the parents form a cycle: " + way;
  }

  /** The root. */
  public Group root() {
    return groups.get(ROOT);
  }

  /** The group with this name, if any. */
  public Optional<Group> find(String name) {
    return Optional.ofNullable(groups.get(name));
  }

  /** All groups, each parent before its children, siblings by name. */
  public Collection<Group> groups() {
    return groups.values();
  }

  /**
   * The children of a group, by name; empty for a group without children and for an unknown group.
   */
  public List<Group> children(String name) {
    return children.getOrDefault(name, List.of());
  }

  /**
   * Groups that exist but are not in this tree because of bad settings: name to reason. No context
   * may open in these groups, because their limits are unknown.
   */
  public Map<String, String> held() {
    return held;
  }

  /** The same groups, with other groups held back; see {@link #held()}. */
  public GroupTree holding(Map<String, String> reasons) {
    return new GroupTree(groups, children, Map.copyOf(reasons));
  }

  /**
   * The ancestors of a group, parent first, root last; empty for the root and for an unknown group.
   */
  public List<Group> ancestors(String name) {
    List<Group> way = new ArrayList<>();
    Optional<Group> at = find(name).flatMap(Group::parent).flatMap(this::find);
    while (at.isPresent()) {
      way.add(at.get());
      at = at.flatMap(Group::parent).flatMap(this::find);
    }
    return way;
  }

  /**
   * A copy with one added or replaced group.
   *
   * @throws TenancyException as for {@link #of}
   */
  public GroupTree with(GroupSpec spec) {
    Map<String, GroupSpec> specs = specs();
    specs.put(spec.name(), spec);
    return of(specs.values());
  }

  /**
   * A copy without a group.
   *
   * @throws TenancyException ENOENT for a group with children; the exception names a child as the
   *     group at fault
   */
  public GroupTree without(String name) {
    Map<String, GroupSpec> specs = specs();
    specs.remove(name);
    return of(specs.values());
  }

  /** The definitions of all groups, by name; a new copy. */
  public Map<String, GroupSpec> specs() {
    Map<String, GroupSpec> specs = new LinkedHashMap<>();
    groups.values().forEach(group -> specs.put(group.name(), group.spec()));
    return specs;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof GroupTree tree && groups.equals(tree.groups);
  }

  @Override
  public int hashCode() {
    return groups.hashCode();
  }

  @Override
  public String toString() {
    return groups.values().stream().map(Group::spec).toList().toString();
  }
}
