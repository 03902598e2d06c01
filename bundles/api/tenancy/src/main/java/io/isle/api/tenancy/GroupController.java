package io.isle.api.tenancy;

import java.time.Duration;
import java.util.List;
import java.util.SequencedMap;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Whiteboard service of an area that limits or accounts groups: it brings keys and enforces them.
 *
 * <p>A change happens in two phases: every controller checks the whole proposed tree, and when none
 * refuses, every one applies it. {@link #check}, {@link #apply} and {@link #evict} are called on
 * one thread of the platform's, one call at a time; {@link #stat} from any thread at any time. None
 * of them calls {@link Groups} to change something (EBUSY).
 */
@ConsumerType
public interface GroupController {
  /** Name of the area, such as {@code accel}; the same for each version of it. */
  String name();

  /** The keys it enforces, in the order in which people shall see them; always the same. */
  List<GroupKey> keys();

  /**
   * Checks a tree, with all keys of this controller in it; changes nothing. What was good once may
   * be refused later, because of what lives in the groups meanwhile; a tree that is in force may
   * come again as proposed, and is then accepted as long as it can be kept up.
   *
   * @param current the tree in force, so that the group can be named whose change is too much; not
   *     necessarily one that this controller knows
   * @throws TenancyException with the group, key, reason and limit; EINVAL for what is malformed,
   *     ERANGE for a number out of range, EBUSY or ENOSPC for what others have already
   */
  void check(GroupTree current, GroupTree proposed);

  /**
   * Makes a tree that it has checked the one in force, at once; does not fail. What lived in a
   * group that is gone was evicted; where {@link Groups} was away meanwhile, it is ended now. The
   * same tree may come again, also with other groups that are {@link GroupTree#held()}.
   */
  void apply(GroupTree committed);

  /**
   * Counters of a group with all that is below it, in order; the names are stable, times end in
   * their unit. What is a level and no counter ends in {@code _current} or {@code _peak}.
   * Thread-safe.
   *
   * @return empty for a group that it does not know
   */
  SequencedMap<String, Long> stat(String group);

  /**
   * Ends, oldest first, all that lives in a group without children. From the call on nothing new
   * begins there, until the next {@link #apply}. Idempotent; may block.
   *
   * @param bound how long to wait for what is not in this controller's hands, such as that which is
   *     just being opened by others
   * @throws TenancyException ETIMEDOUT when something does not end; then the group stays
   */
  void evict(String group, Duration bound);
}
