package io.isle.core.tenancy;

import io.isle.api.base.Errno;
import io.isle.api.tenancy.Group;
import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.GroupTree;
import io.isle.api.tenancy.TenancyException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How near one gets from a tree in force to what the files want: all of it if that is good, else as
 * many of the changes as are good one after the other. Immutable.
 *
 * @param tree good
 * @param refusals by group, why a change is not in it
 */
record TreePlan(GroupTree tree, Map<String, TenancyException> refusals) {
  /** Refuses a tree by an exception. */
  @FunctionalInterface
  interface Check {
    void check(GroupTree current, GroupTree proposed);
  }

  /**
   * A group to be put, or to be removed.
   *
   * @param spec empty to remove it
   */
  private record Change(String name, Optional<GroupSpec> spec) {
    GroupTree to(GroupTree tree) {
      if (spec.isPresent()) {
        return tree.with(spec.get());
      }
      List<Group> children = tree.children(name);
      if (!children.isEmpty()) {
        throw busy(children.getFirst().name());
      }
      return tree.without(name);
    }
  }

  /**
   * Plans.
   *
   * @param wanted all groups that shall be there
   */
  static TreePlan of(GroupTree base, Map<String, GroupSpec> wanted, Check check) {
    List<Change> changes = changes(base, wanted);
    return changes.isEmpty()
        ? new TreePlan(base, Map.of())
        : together(base, changes, check).orElseGet(() -> oneByOne(base, changes, check));
  }

  private static List<Change> changes(GroupTree base, Map<String, GroupSpec> wanted) {
    Map<String, GroupSpec> before = base.specs();
    Map<String, GroupSpec> after = new TreeMap<>(wanted);
    after.computeIfAbsent(GroupTree.ROOT, name -> GroupSpec.of(name, Map.of()));
    List<Change> changes = new ArrayList<>();
    after.forEach(
        (name, spec) -> {
          if (!spec.equals(before.get(name))) {
            changes.add(new Change(name, Optional.of(spec)));
          }
        });
    for (String name : before.keySet()) {
      if (!after.containsKey(name)) {
        changes.add(new Change(name, Optional.empty()));
      }
    }
    return changes;
  }

  /** All changes at once, but for those that lack a parent or would take one away. */
  private static Optional<TreePlan> together(GroupTree base, List<Change> changes, Check check) {
    Map<String, GroupSpec> before = base.specs();
    Map<String, GroupSpec> specs = new TreeMap<>(before);
    for (Change change : changes) {
      change
          .spec()
          .ifPresentOrElse(
              spec -> specs.put(change.name(), spec), () -> specs.remove(change.name()));
    }
    Map<String, TenancyException> refusals = new TreeMap<>();
    Optional<GroupSpec> orphan = orphan(specs);
    while (orphan.isPresent()) {
      GroupSpec child = orphan.get();
      String parent = child.parent().orElseThrow();
      GroupSpec old = before.get(child.name());
      if (old != null && old.parent().equals(child.parent())) {
        specs.put(parent, before.get(parent));
        refusals.put(parent, busy(child.name()));
      } else {
        refusals.put(child.name(), missing(child.name(), parent));
        if (old == null) {
          specs.remove(child.name());
        } else {
          specs.put(child.name(), old);
        }
      }
      orphan = orphan(specs);
    }
    try {
      GroupTree tree = GroupTree.of(specs.values());
      if (tree.equals(base)) {
        return Optional.of(new TreePlan(base, refusals));
      }
      check.check(base, tree);
      return Optional.of(new TreePlan(tree, refusals));
    } catch (TenancyException e) {
      return Optional.empty();
    }
  }

  private static Optional<GroupSpec> orphan(Map<String, GroupSpec> specs) {
    return specs.values().stream()
        .filter(spec -> spec.parent().filter(parent -> !specs.containsKey(parent)).isPresent())
        .findFirst();
  }

  /** Each change may make room for another one, so they are tried until none gets any further. */
  private static TreePlan oneByOne(GroupTree base, List<Change> changes, Check check) {
    List<Change> left = new ArrayList<>(changes);
    Map<String, TenancyException> refusals = new TreeMap<>();
    GroupTree tree = base;
    boolean further = true;
    while (further) {
      further = false;
      for (Iterator<Change> i = left.iterator(); i.hasNext(); ) {
        Change change = i.next();
        try {
          GroupTree next = change.to(tree);
          check.check(tree, next);
          tree = next;
          refusals.remove(change.name());
          i.remove();
          further = true;
        } catch (TenancyException e) {
          refusals.put(change.name(), e);
        }
      }
    }
    return new TreePlan(tree, refusals);
  }

  private static TenancyException missing(String name, String parent) {
    return new TenancyException(Errno.ENOENT, name, GroupSpec.PARENT, "no group '" + parent + "'");
  }

  private static TenancyException busy(String child) {
    return new TenancyException(
        Errno.EBUSY,
        "the group's file was deleted, but the group stays in force while its child group "
            + child
            + " exists");
  }
}
