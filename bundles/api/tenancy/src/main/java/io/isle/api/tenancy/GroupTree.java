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
 * All groups at one time: a tree whose root is always there. Immutable; two trees are equal when
 * their groups are, whatever is held back.
 */
public final class GroupTree {
  /** Name of the root: the group of tenants that name none. */
  public static final String ROOT = GroupNames.DEFAULT;

  /** Most groups, the root included. */
  public static final int MAX_GROUPS = 256;

  /** Most steps from a group to the root. */
  public static final int MAX_DEPTH = 16;

  /** The root alone, with no key set. */
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
   * Makes a tree; a root without keys is added where there is none.
   *
   * @throws TenancyException ENOENT for a parent that is not there; EINVAL for a cycle; EEXIST for
   *     a name that is there twice; EAGAIN beyond {@link #MAX_GROUPS} or {@link #MAX_DEPTH}
   */
  public static GroupTree of(Collection<GroupSpec> specs) {
    SortedMap<String, GroupSpec> byName = new TreeMap<>();
    byName.put(ROOT, new GroupSpec(ROOT, Optional.empty(), Collections.emptySortedMap()));
    Set<String> given = new HashSet<>();
    for (GroupSpec spec : specs) {
      if (!given.add(spec.name())) {
        throw new TenancyException(Errno.EEXIST, spec.name(), "name", "there are two groups of it");
      }
      byName.put(spec.name(), spec);
    }
    if (byName.size() > MAX_GROUPS) {
      throw new TenancyException(
          Errno.EAGAIN,
          byName.lastKey(),
          "name",
          byName.size() + " groups are too many; the limit is " + MAX_GROUPS);
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
          Errno.ENOENT, spec.name(), GroupSpec.PARENT, "there is no group '" + parent + "'");
    }
    below.computeIfAbsent(parent, name -> new ArrayList<>()).add(spec);
  }

  /** Depth first, so that every parent comes before its children. */
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
          "the group would be " + depth + " steps below the root; the limit is " + MAX_DEPTH);
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
    return "the way up never ends: " + way;
  }

  public Group root() {
    return groups.get(ROOT);
  }

  public Optional<Group> find(String name) {
    return Optional.ofNullable(groups.get(name));
  }

  /** All of them, each parent before its children, siblings by name. */
  public Collection<Group> groups() {
    return groups.values();
  }

  /** By name; empty for a group without any, and for one that is not here. */
  public List<Group> children(String name) {
    return children.getOrDefault(name, List.of());
  }

  /**
   * Groups that somebody made and that are not here, because their settings are not good: by name,
   * why. Nothing may begin in them, for what limits it is not known.
   */
  public Map<String, String> held() {
    return held;
  }

  /** The same groups, while others are held back; see {@link #held()}. */
  public GroupTree holding(Map<String, String> reasons) {
    return new GroupTree(groups, children, Map.copyOf(reasons));
  }

  /** The parent first, the root last; empty for the root, and for a group that is not here. */
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
   * The same tree with one group added or replaced.
   *
   * @throws TenancyException as {@link #of}
   */
  public GroupTree with(GroupSpec spec) {
    Map<String, GroupSpec> specs = specs();
    specs.put(spec.name(), spec);
    return of(specs.values());
  }

  /**
   * The same tree without a group.
   *
   * @throws TenancyException ENOENT, with a child as the group to blame, when it has children
   */
  public GroupTree without(String name) {
    Map<String, GroupSpec> specs = specs();
    specs.remove(name);
    return of(specs.values());
  }

  /** What it was made from, by name; the caller's own copy. */
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
