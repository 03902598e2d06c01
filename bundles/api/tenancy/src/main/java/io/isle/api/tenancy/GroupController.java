package io.isle.api.tenancy;

import java.time.Duration;
import java.util.List;
import java.util.SequencedMap;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Whiteboard service of a subsystem that limits or accounts groups. A controller defines keys and
 * enforces their values.
 *
 * <p>A change has two phases: every controller checks the whole proposed tree; if no controller
 * refuses, every controller applies the tree. {@link #check}, {@link #apply} and {@link #evict} are
 * called on one thread of the platform, one call at a time; {@link #stat} is called from any thread
 * at any time. No method may change groups through {@link Groups} (EBUSY).
 */
@ConsumerType
public interface GroupController {
  /** Name of the subsystem, such as {@code accel}; equal in all versions. */
  String name();

  /** The keys of this controller, in the order for output; constant. */
  List<GroupKey> keys();

  /**
   * Checks a tree with all keys of this controller, without a change. A tree that was valid before
   * may be refused later, because of objects that now exist in the groups. A tree in force may be
   * proposed again and must be accepted as long as the controller can maintain it.
   *
   * @param current the tree in force, to name the group with the excessive change; possibly unknown
   *     to this controller
   * @param proposed the tree to check
   * @throws TenancyException with the group, key, reason and limit; EINVAL for a malformed value,
   *     ERANGE for a number out of range, EBUSY or ENOSPC for resources that others already have
   */
  void check(GroupTree current, GroupTree proposed);

  /**
   * Brings a checked tree into force at once; must not fail. The objects of a removed group were
   * evicted before; after an absence of {@link Groups}, this method ends such objects. The same
   * tree may be applied again, also with other groups that are {@link GroupTree#held()}.
   */
  void apply(GroupTree committed);

  /**
   * Counters of a group with all groups below it, in order. Names are stable; names of times end
   * with their unit. A name of a level, in contrast to a counter, ends with {@code _current} or
   * {@code _peak}. Thread-safe.
   *
   * @return empty for an unknown group
   */
  SequencedMap<String, Long> stat(String group);

  /**
   * Ends all objects of a group without children, oldest first. From this call until the next
   * {@link #apply}, no new object begins in the group. Idempotent; may block.
   *
   * @param bound time limit for objects outside of this controller's control, such as objects that
   *     other threads are opening
   * @throws TenancyException ETIMEDOUT if an object does not end; the group stays then
   */
  void evict(String group, Duration bound);
}
