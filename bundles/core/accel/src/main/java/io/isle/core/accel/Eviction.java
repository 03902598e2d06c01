package io.isle.core.accel;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.tenancy.TenancyException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Ends all contexts of a group, oldest first, each in full before the next: the device is asked to
 * let its work go (PREEMPT_ADMIN_EVICT), then it is destroyed. Control path; may block.
 */
final class Eviction {
  private static final System.Logger LOG = System.getLogger(Eviction.class.getName());

  /** For all contexts of a group, those that others are just opening or closing among them. */
  private static final long BOUND_NS = TimeUnit.SECONDS.toNanos(60);

  private final AccelCore core;
  private final GroupMembers members;

  Eviction(AccelCore core) {
    this.core = core;
    this.members = core.members();
  }

  /**
   * From now on nothing comes into the group.
   *
   * @return how many contexts were ended
   * @throws TenancyException ETIMEDOUT when some did not end, naming them
   */
  int run(String group) {
    members.close(group);
    List<Membership> ended = new ArrayList<>(members.of(group));
    long deadline = System.nanoTime() + BOUND_NS;
    for (Membership member : ended) {
      if (System.nanoTime() - deadline < 0) {
        end(member, group);
      }
    }
    if (!members.awaitEmpty(group, Math.max(0, deadline - System.nanoTime()))) {
      throw new TenancyException(
          Errno.ETIMEDOUT,
          "group "
              + group
              + ": these contexts do not end: "
              + members.of(group).stream()
                  .map(member -> member.spec().name() + " on " + member.device())
                  .collect(Collectors.joining(", ")));
    }
    return ended.size();
  }

  /** What lives on in a group that is gone already, which was not evicted. */
  void leftOver(String group) {
    members.of(group).forEach(member -> end(member, group));
  }

  private void end(Membership member, String group) {
    member
        .evict()
        .ifPresent(
            context -> {
              try {
                core.place(member.device())
                    .ifPresent(
                        place -> place.evictContext(context, "group " + group + " was deleted"));
              } catch (AccelException e) {
                // it is over all the same, unless it is still a member when this is done
                LOG.log(
                    System.Logger.Level.WARNING,
                    "ending context {0} of group {1}: {2}",
                    member.spec().name(),
                    group,
                    e.getMessage());
              }
            });
  }
}
