package io.isle.core.accel.group;

import io.isle.api.base.Errno;
import io.isle.api.base.GroupNames;
import io.isle.api.device.Priority;
import io.isle.api.tenancy.Group;
import io.isle.api.tenancy.GroupTree;
import io.isle.api.tenancy.TenancyException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;

/** All groups as accelerators see them: each on its own is good. Immutable. */
public final class AccelGroups {
  /** The root alone. */
  public static final AccelGroups EMPTY = of(GroupTree.EMPTY);

  /**
   * What a group has of a device for sure.
   *
   * @param group whose guarantee it is: its own, or the one of an ancestor that it shares with
   *     others
   */
  public record Guarantee(String group, Bandwidth bandwidth) {}

  private final Map<String, AccelGroup> groups;
  private final Map<String, List<AccelGroup>> children;

  private AccelGroups(Map<String, AccelGroup> groups, Map<String, List<AccelGroup>> children) {
    this.groups = groups;
    this.children = children;
  }

  /**
   * Reads the keys of all groups.
   *
   * @throws TenancyException EINVAL or ERANGE, with group and key
   */
  public static AccelGroups of(GroupTree tree) {
    Map<String, AccelGroup> groups = new LinkedHashMap<>();
    Map<String, List<AccelGroup>> children = new LinkedHashMap<>();
    for (Group group : tree.groups()) {
      AccelGroup made = read(group, group.parent().map(groups::get));
      groups.put(made.name(), made);
      made.parent()
          .ifPresent(
              parent -> children.computeIfAbsent(parent, name -> new ArrayList<>()).add(made));
    }
    return new AccelGroups(Collections.unmodifiableMap(groups), children);
  }

  private static AccelGroup read(Group group, Optional<AccelGroup> parent) {
    Optional<SortedSet<String>> devices =
        own(group, AccelGroupKeys.DEVICES, AccelGroupKeys::devices).orElse(Optional.empty());
    Optional<SortedMap<String, Bandwidth>> guarantee =
        own(group, AccelGroupKeys.COMPUTE_GUARANTEE, AccelGroupKeys::computeGuarantee);
    AccelGroup read =
        new AccelGroup(
            group.name(),
            group.parent(),
            both(parent.flatMap(AccelGroup::devices), devices),
            own(group, AccelGroupKeys.MEMORY_MAX, AccelGroupKeys::memoryMax)
                .orElse(AccelGroupKeys.NO_LIMIT),
            own(group, AccelGroupKeys.PRIORITY, AccelGroupKeys::priority)
                .or(() -> parent.map(AccelGroup::priority))
                .orElse(Priority.NORMAL),
            guarantee,
            own(group, AccelGroupKeys.COMPUTE_MAX, AccelGroupKeys::computeMax)
                .orElse(Collections.emptySortedMap()),
            own(group, AccelGroupKeys.COMPUTE_WEIGHT, AccelGroupKeys::weight)
                .or(() -> parent.map(AccelGroup::weight))
                .orElse(AccelGroupKeys.DEFAULT_WEIGHT));
    guarantee.ifPresent(all -> checkGuarantee(read, all));
    return read;
  }

  private static void checkGuarantee(AccelGroup group, SortedMap<String, Bandwidth> guarantee) {
    if (group.parent().isEmpty()) {
      throw refused(
          Errno.EINVAL,
          group.name(),
          "the root group has all of every device; set guarantees of its child groups instead");
    }
    for (String device : guarantee.keySet()) {
      if (!group.allows(device)) {
        throw refused(
            Errno.EINVAL,
            group.name(),
            device + ": not one of the devices that " + group.name() + " may use: " + names(group));
      }
    }
  }

  private static String names(AccelGroup group) {
    SortedSet<String> devices = group.devices().orElseThrow();
    return devices.isEmpty() ? "none" : String.join(" ", devices);
  }

  private static TenancyException refused(int code, String group, String why) {
    return new TenancyException(code, group, AccelGroupKeys.COMPUTE_GUARANTEE, why);
  }

  private static <T> Optional<T> own(Group group, String key, Function<String, T> read) {
    String text = group.own().get(key);
    if (text == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(read.apply(text));
    } catch (TenancyException e) {
      throw new TenancyException(e.code(), group.name(), key, e.getMessage());
    }
  }

  /** What is in both lists; one that is empty has all. */
  private static Optional<SortedSet<String>> both(
      Optional<SortedSet<String>> parent, Optional<SortedSet<String>> own) {
    if (parent.isEmpty() || own.isEmpty()) {
      return parent.or(() -> own);
    }
    SortedSet<String> both = new TreeSet<>(parent.get());
    both.retainAll(own.get());
    return Optional.of(Collections.unmodifiableSortedSet(both));
  }

  /** All, each parent before its children. */
  public Collection<AccelGroup> all() {
    return groups.values();
  }

  public Optional<AccelGroup> find(String name) {
    return Optional.ofNullable(groups.get(name));
  }

  /** The group that a name stands for: one that nobody made counts as the root. */
  public AccelGroup resolve(String name) {
    return find(name).orElseGet(() -> find(GroupNames.DEFAULT).orElseThrow());
  }

  /** By name. */
  public List<AccelGroup> children(String name) {
    return children.getOrDefault(name, List.of());
  }

  /** The group, its parent, and so on to the root; empty for a group that is not here. */
  public List<AccelGroup> wayUp(String name) {
    List<AccelGroup> way = new ArrayList<>();
    Optional<AccelGroup> at = find(name);
    while (at.isPresent()) {
      way.add(at.get());
      at = at.flatMap(AccelGroup::parent).flatMap(this::find);
    }
    return way;
  }

  /**
   * The guarantee under which a group's contexts run: that of the nearest group on the way up that
   * has the key; empty when that does not name the device, or none has it.
   */
  public Optional<Guarantee> guarantee(String name, String device) {
    return wayUp(name).stream()
        .filter(group -> group.guarantee().isPresent())
        .findFirst()
        .flatMap(
            group ->
                Optional.ofNullable(group.guarantee().orElseThrow().get(device))
                    .map(bandwidth -> new Guarantee(group.name(), bandwidth)));
  }
}
