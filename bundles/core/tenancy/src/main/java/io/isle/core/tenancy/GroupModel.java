package io.isle.core.tenancy;

import io.isle.api.base.Errno;
import io.isle.api.tenancy.Group;
import io.isle.api.tenancy.GroupController;
import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.GroupTree;
import io.isle.api.tenancy.TenancyException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The tree of groups, from what files say and controllers accept. Level-triggered: each change
 * states what is now, and the model goes as far towards it as it can. What is refused or lacks its
 * parent is tried again at each change. Belongs to one thread.
 */
final class GroupModel {
  private final Controllers controllers;
  private final Consumer<String> revoke;
  private final BiConsumer<GroupTree, GroupTree> changed;
  private GroupTree tree = GroupTree.EMPTY;
  private Map<String, Map<String, String>> files = Map.of();

  /** What was in force last while no controller was missing. */
  private final Map<String, GroupSpec> good = new HashMap<>();

  private Map<String, TenancyException> refusals = Map.of();

  /**
   * @param revoke takes back the capabilities of a group that goes
   * @param changed hears of each new tree, after all have applied it
   */
  GroupModel(
      Controllers controllers, Consumer<String> revoke, BiConsumer<GroupTree, GroupTree> changed) {
    this.controllers = controllers;
    this.revoke = revoke;
    this.changed = changed;
  }

  /** The contents of all groups' files, as they are now. */
  void files(Map<String, Map<String, String>> now) {
    files = Map.copyOf(now);
    reconcile(tree);
  }

  /** A controller comes: what it does not accept is not in force any more. */
  void bind(GroupController controller) {
    if (controllers.add(controller)) {
      GroupTree base = accepted(tree) ? tree : GroupTree.EMPTY;
      reconcile(base);
      controllers.reopen(tree);
    }
  }

  /** A controller goes; nothing of it is called any more. */
  void unbind(GroupController controller) {
    if (controllers.remove(controller)) {
      reconcile(tree);
    }
  }

  GroupTree tree() {
    return tree;
  }

  Map<String, Map<String, String>> files() {
    return files;
  }

  /** Why the newest settings of a group are not in force; null if they are. */
  TenancyException refusal(String name) {
    return refusals.get(name);
  }

  /**
   * Checks whether a group may be there, or be changed to this.
   *
   * @throws TenancyException if not
   */
  void check(GroupSpec proposed) {
    controllers.check(tree, tree.with(proposed));
  }

  /**
   * Ends what lives in a group that may go, and takes its capabilities back.
   *
   * @throws TenancyException EBUSY while it has children; what a controller throws: then the group
   *     goes on, without these capabilities
   */
  void evict(String name) {
    List<Group> children = tree.children(name);
    if (!children.isEmpty()) {
      throw new TenancyException(
          Errno.EBUSY,
          "group "
              + name
              + " has "
              + children.size()
              + (children.size() == 1 ? " group" : " groups")
              + " below it, such as "
              + children.getFirst().name()
              + "; delete or move them first");
    }
    revoke.accept(name);
    try {
      controllers.evict(name);
    } catch (TenancyException e) {
      controllers.reopen(tree);
      throw e;
    }
  }

  /** Groups that were evicted may go on: their end did not come about. */
  void reopen() {
    controllers.reopen(tree);
  }

  /** What is to be seen of it. */
  GroupSnapshot snapshot() {
    return GroupSnapshot.of(tree, files, refusals, controllers);
  }

  private boolean accepted(GroupTree whole) {
    try {
      controllers.check(whole, whole);
      return true;
    } catch (TenancyException e) {
      return false;
    }
  }

  private void reconcile(GroupTree base) {
    Map<String, TenancyException> found = new TreeMap<>();
    Map<String, GroupSpec> wanted = wanted(base, found);
    TreePlan plan = planned(base, wanted);
    Map<String, TenancyException> staying = new TreeMap<>();
    while (!ended(plan.tree(), staying)) {
      staying.keySet().forEach(name -> wanted.put(name, tree.find(name).orElseThrow().spec()));
      plan = planned(base, wanted);
    }
    found.putAll(plan.refusals());
    found.putAll(staying);
    commit(plan.tree(), found);
    if (!staying.isEmpty()) {
      controllers.reopen(tree);
    }
    refusals = found;
    // A group that is made anew owes nothing to one of the same name before it.
    good.keySet().removeIf(name -> !files.containsKey(name) && tree.find(name).isEmpty());
    if (controllers.complete()) {
      good.putAll(tree.specs());
    }
  }

  /** What the files say; a file that cannot be read as a group counts as it did when it could. */
  private Map<String, GroupSpec> wanted(GroupTree base, Map<String, TenancyException> malformed) {
    Map<String, GroupSpec> wanted = new TreeMap<>();
    files.forEach(
        (name, raw) -> {
          try {
            wanted.put(name, GroupSpec.of(name, raw));
          } catch (TenancyException e) {
            malformed.put(name, e);
            base.find(name)
                .map(Group::spec)
                .or(() -> Optional.ofNullable(good.get(name)))
                .ifPresent(spec -> wanted.put(name, spec));
          }
        });
    return wanted;
  }

  /** Where the files' settings are refused and nothing else is in force: the last good ones. */
  private TreePlan planned(GroupTree base, Map<String, GroupSpec> wanted) {
    TreePlan first = TreePlan.of(base, wanted, controllers::check);
    Map<String, GroupSpec> older = first.tree().specs();
    for (String name : first.refusals().keySet()) {
      GroupSpec last = good.get(name);
      if (last != null && wanted.containsKey(name) && first.tree().find(name).isEmpty()) {
        older.put(name, last);
      }
    }
    GroupSpec root = good.get(GroupTree.ROOT);
    if (root != null && first.refusals().containsKey(GroupTree.ROOT)) {
      older.put(GroupTree.ROOT, root);
    }
    TreePlan second = TreePlan.of(first.tree(), older, controllers::check);
    return second.tree().equals(first.tree())
        ? first
        : TreePlan.of(second.tree(), wanted, controllers::check);
  }

  /**
   * Ends what lives in the groups that go, children first.
   *
   * @param staying gets those in which something does not end
   * @return false when the plan must be made anew, because one more stays
   */
  private boolean ended(GroupTree next, Map<String, TenancyException> staying) {
    List<Group> leaving = new ArrayList<>(tree.groups());
    Collections.reverse(leaving);
    Set<String> before = new HashSet<>(staying.keySet());
    for (Group group : leaving) {
      if (next.find(group.name()).isEmpty()) {
        revoke.accept(group.name());
        try {
          controllers.evict(group.name());
        } catch (TenancyException e) {
          staying.put(group.name(), e);
        }
      }
    }
    return staying.keySet().equals(before);
  }

  private void commit(GroupTree next, Map<String, TenancyException> found) {
    GroupTree before = tree;
    if (next.equals(before)) {
      return;
    }
    try {
      controllers.apply(before, next);
    } catch (TenancyException e) {
      Set<String> names = new TreeSet<>(before.specs().keySet());
      names.addAll(next.specs().keySet());
      names.removeIf(name -> before.find(name).equals(next.find(name)));
      names.forEach(name -> found.put(name, e));
      return;
    }
    tree = next;
    changed.accept(before, next);
  }
}
