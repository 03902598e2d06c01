package io.isle.core.tenancy;

import io.isle.api.base.Errno;
import io.isle.api.tenancy.Group;
import io.isle.api.tenancy.GroupController;
import io.isle.api.tenancy.GroupKey;
import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.GroupTree;
import io.isle.api.tenancy.TenancyException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The controllers that are there, as one: all check, then all apply. What one of them throws ends
 * nothing but the change. Belongs to the groups' thread.
 */
final class Controllers {
  private static final Logger LOG = LoggerFactory.getLogger(Controllers.class);

  /**
   * A controller that is bound.
   *
   * @param keys as it named them when it was bound
   */
  record Bound(String name, List<GroupKey> keys, GroupController controller) {}

  private final Map<String, Bound> bound = new TreeMap<>();
  private final Set<String> expected;

  /**
   * @param expected names of those without which a key may be one of an absent controller
   */
  Controllers(Set<String> expected) {
    this.expected = new HashSet<>(expected);
  }

  /**
   * A controller comes; one of the same name is an earlier version of it and goes.
   *
   * @return false when it cannot be used, which is logged
   */
  boolean add(GroupController controller) {
    try {
      Bound made = new Bound(controller.name(), List.copyOf(controller.keys()), controller);
      Set<String> taken = new HashSet<>(Set.of(GroupSpec.PARENT));
      bound.values().stream()
          .filter(other -> !other.name().equals(made.name()))
          .forEach(other -> other.keys().forEach(key -> taken.add(key.key())));
      for (GroupKey key : made.keys()) {
        if (!taken.add(key.key())) {
          LOG.error(
              "group controller {} is not used, because another controller has the key {}",
              made.name(),
              key.key());
          return false;
        }
      }
      bound.put(made.name(), made);
      expected.add(made.name());
      return true;
    } catch (RuntimeException | LinkageError e) {
      LOG.error(
          "group controller {} is not used, because its keys cannot be read",
          controller.getClass().getName(),
          e);
      return false;
    }
  }

  /** A controller goes; false if it was not used any more. */
  boolean remove(GroupController controller) {
    return bound.values().removeIf(one -> one.controller() == controller);
  }

  List<Bound> all() {
    return List.copyOf(bound.values());
  }

  /** Whether a key that nobody has here is a mistake. */
  boolean complete() {
    return bound.keySet().containsAll(expected);
  }

  /** Own keys of a group that nobody here has. */
  List<String> unknown(Group group) {
    Set<String> known = new HashSet<>();
    bound.values().forEach(one -> one.keys().forEach(key -> known.add(key.key())));
    return group.own().keySet().stream().filter(key -> !known.contains(key)).toList();
  }

  /**
   * Checks a whole tree.
   *
   * @throws TenancyException as the first that refuses; EINVAL for a key that nobody has; EIO when
   *     a controller fails
   */
  void check(GroupTree current, GroupTree proposed) {
    if (complete()) {
      for (Group group : proposed.groups()) {
        for (String key : unknown(group)) {
          throw new TenancyException(
              Errno.EINVAL, group.name(), key, "not a key of a group; the keys are " + known());
        }
      }
    }
    for (Bound one : bound.values()) {
      guarded(one, () -> one.controller().check(current, proposed));
    }
  }

  /**
   * Has all apply a tree that was checked; when one fails, which it must not, all go back.
   *
   * @throws TenancyException EIO when one failed
   */
  void apply(GroupTree before, GroupTree now) {
    for (Bound one : bound.values()) {
      try {
        guarded(one, () -> one.controller().apply(now));
      } catch (TenancyException e) {
        reopen(before);
        throw e;
      }
    }
  }

  /** Has all apply the tree in force again, as far as they can. */
  void reopen(GroupTree tree) {
    for (Bound one : bound.values()) {
      try {
        guarded(one, () -> one.controller().apply(tree));
      } catch (TenancyException e) {
        LOG.error("group controller {} could not apply the groups in force", one.name(), e);
      }
    }
  }

  /**
   * Ends what lives in a group, controller by controller.
   *
   * @param bound of each
   * @throws TenancyException what a controller throws; those after it were not asked
   */
  void evict(String group, Duration bound) {
    for (Bound one : all()) {
      guarded(one, () -> one.controller().evict(group, bound));
    }
  }

  private String known() {
    List<String> keys = new ArrayList<>(List.of(GroupSpec.PARENT));
    bound.values().forEach(one -> one.keys().forEach(key -> keys.add(key.key())));
    return String.join(", ", keys);
  }

  /** Whatever else the call of a controller throws becomes an EIO. */
  private static void guarded(Bound one, Runnable call) {
    try {
      call.run();
    } catch (TenancyException e) {
      throw e;
    } catch (RuntimeException | LinkageError e) {
      LOG.error("group controller {} failed", one.name(), e);
      throw new TenancyException(
          Errno.EIO, "group controller " + one.name() + " failed, see log:display: " + e);
    }
  }
}
