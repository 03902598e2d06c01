package io.isle.core.tenancy;

import io.isle.api.tenancy.Group;
import io.isle.api.tenancy.GroupController;
import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.GroupTree;
import io.isle.api.tenancy.TenancyException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The tree of groups, from what files say and controllers accept. Level-triggered: each change
 * states what is now, and the model goes as far towards it as it can. What is refused or lacks its
 * parent is tried again at each change; what does not end, when that is asked for. Belongs to one
 * thread.
 */
final class GroupModel {
  private final Controllers controllers;
  private final GroupEndings endings;
  private GroupTree tree = GroupTree.EMPTY;

  /** Null until they were read: until then controllers hear of no tree. */
  private Map<String, Map<String, String>> files;

  /** What was in force last while no controller was missing. */
  private final Map<String, GroupSpec> good = new HashMap<>();

  private Map<String, TenancyException> refusals = Map.of();

  /**
   * @param revoke takes back the capabilities of a group that goes
   */
  GroupModel(Controllers controllers, Consumer<String> revoke) {
    this.controllers = controllers;
    endings = new GroupEndings(controllers, revoke);
  }

  /** The contents of all groups' files, as they are now. */
  void files(Map<String, Map<String, String>> now) {
    boolean first = files == null;
    files = Map.copyOf(now);
    reconcile(tree);
    if (first) {
      controllers.reopen(tree);
    }
  }

  /** A controller comes: what it does not accept is not in force any more. */
  void bind(GroupController controller) {
    if (controllers.add(controller) && files != null) {
      GroupTree base = accepted(tree) ? tree : GroupTree.EMPTY;
      reconcile(base);
      controllers.reopen(tree);
    }
  }

  /** A controller goes; nothing of it is called any more. */
  void unbind(GroupController controller) {
    if (controllers.remove(controller) && files != null) {
      reconcile(tree);
    }
  }

  /** Whether there are groups that only {@link #retry} ends. */
  boolean isStuck() {
    return endings.isStuck();
  }

  /** Tries once more to end what did not end. */
  void retry() {
    endings.retry();
    reconcile(tree);
  }

  GroupTree tree() {
    return tree;
  }

  /** What the files say, as they were read last. */
  Map<String, Map<String, String>> files() {
    return files == null ? Map.of() : files;
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
    endings.delete(tree, name);
  }

  /** Groups that were evicted may go on: their end did not come about. */
  void reopen() {
    controllers.reopen(tree);
  }

  /** What is to be seen of it. */
  GroupSnapshot snapshot() {
    return GroupSnapshot.of(tree, files(), refusals, controllers);
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
    while (!endings.ended(tree, plan.tree(), staying)) {
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
    endings.stay(staying);
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

  /**
   * Where the files' settings are refused and nothing else is in force: the last good ones. These
   * may have room only once others are in force, so as often as there are groups at most.
   */
  private TreePlan planned(GroupTree base, Map<String, GroupSpec> wanted) {
    TreePlan plan = TreePlan.of(base, wanted, controllers::check);
    for (int i = 0; i <= wanted.size(); i++) {
      TreePlan next = withLastGood(plan, wanted);
      if (next.tree().equals(plan.tree())) {
        return plan;
      }
      plan = next;
    }
    return plan;
  }

  private TreePlan withLastGood(TreePlan first, Map<String, GroupSpec> wanted) {
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

  private void commit(GroupTree planned, Map<String, TenancyException> found) {
    GroupTree before = tree;
    GroupTree next = planned.holding(held(planned, found));
    if (next.equals(before) && next.held().equals(before.held())) {
      return;
    }
    try {
      controllers.apply(before, next);
    } catch (TenancyException e) {
      Set<String> names = new TreeSet<>(before.specs().keySet());
      names.addAll(next.specs().keySet());
      names.removeIf(name -> before.find(name).equals(next.find(name)));
      names.forEach(name -> found.put(name, e));
      tree = before.holding(held(before, found));
      controllers.reopen(tree);
      return;
    }
    tree = next;
  }

  /** Files that are not in force, with why. */
  private Map<String, String> held(GroupTree at, Map<String, TenancyException> found) {
    Map<String, String> held = new TreeMap<>();
    for (String name : files.keySet()) {
      if (at.find(name).isEmpty()) {
        TenancyException why = found.get(name);
        held.put(
            name, why == null ? "the settings of the group are not in force" : why.getMessage());
      }
    }
    return held;
  }
}
