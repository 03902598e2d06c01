package io.isle.core.tenancy;

import io.isle.api.base.Errno;
import io.isle.api.tenancy.Group;
import io.isle.api.tenancy.GroupTree;
import io.isle.api.tenancy.TenancyException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Ends what lives in groups that go. Where something does not end, others are not held up: it is
 * tried again when that is asked for, and not at each change. Belongs to the groups' thread.
 */
final class GroupEndings {
  /** How long a deletion waits for what others are just opening or closing in the group. */
  private static final Duration DELETION = Duration.ofSeconds(60);

  /** The same for a file that went: nobody waits for that, but all other changes. */
  private static final Duration FIRST = Duration.ofSeconds(10);

  private static final Duration AGAIN = Duration.ofSeconds(1);

  private final Controllers controllers;
  private final Consumer<String> revoke;

  /** Groups without a file in which something did not end. */
  private Map<String, TenancyException> stuck = Map.of();

  /** Those that are tried once more. */
  private Set<String> again = Set.of();

  /**
   * @param revoke takes back the capabilities of a group that goes
   */
  GroupEndings(Controllers controllers, Consumer<String> revoke) {
    this.controllers = controllers;
    this.revoke = revoke;
  }

  /** Whether there are groups that only {@link #retry} ends. */
  boolean isStuck() {
    return !stuck.isEmpty();
  }

  /** {@link #ended} tries once more to end what did not end. */
  void retry() {
    again = stuck.keySet();
    stuck = Map.of();
  }

  /** These did not end. */
  void stay(Map<String, TenancyException> staying) {
    stuck = Map.copyOf(staying);
    again = Set.of();
  }

  /**
   * Ends what lives in a group that was asked to go.
   *
   * @throws TenancyException EBUSY while it has children; what a controller throws: then the group
   *     goes on, without its capabilities
   */
  void delete(GroupTree tree, String name) {
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
      controllers.evict(name, DELETION);
    } catch (TenancyException e) {
      controllers.reopen(tree);
      throw e;
    }
    Map<String, TenancyException> others = new TreeMap<>(stuck);
    others.remove(name);
    stuck = others;
  }

  /**
   * Ends what lives in the groups that go, children first.
   *
   * @param staying gets those in which something does not end
   * @return false when the plan must be made anew, because one more stays
   */
  boolean ended(GroupTree tree, GroupTree next, Map<String, TenancyException> staying) {
    List<Group> leaving = new ArrayList<>(tree.groups());
    Collections.reverse(leaving);
    Set<String> before = new HashSet<>(staying.keySet());
    for (Group group : leaving) {
      String name = group.name();
      // while a group below it stays, it stays as well
      if (next.find(name).isEmpty() && staying.keySet().stream().noneMatch(below(tree, name))) {
        end(name, staying);
      }
    }
    return staying.keySet().equals(before);
  }

  private static Predicate<String> below(GroupTree tree, String name) {
    return other -> tree.ancestors(other).stream().anyMatch(above -> above.name().equals(name));
  }

  private void end(String name, Map<String, TenancyException> staying) {
    if (stuck.containsKey(name)) {
      staying.put(name, stuck.get(name));
      return;
    }
    revoke.accept(name);
    try {
      controllers.evict(name, again.contains(name) ? AGAIN : FIRST);
    } catch (TenancyException e) {
      staying.put(name, e);
    }
  }
}
