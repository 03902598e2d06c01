package io.isle.core.accel.admission;

import io.isle.api.base.Errno;
import io.isle.api.tenancy.TenancyException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Ends all contexts of a group, oldest first: of each, what waits ends and the device is asked to
 * let its work go (PREEMPT_ADMIN_EVICT), then one after the other they are destroyed. So the work
 * of all of them leaves their devices at the same time. Control path; may block.
 */
public final class Eviction {
  private static final System.Logger LOG = System.getLogger(Eviction.class.getName());

  /** The rest of an end that has begun. */
  private record Ending(Membership member, Runnable rest) {}

  private final GroupMembers members;

  public Eviction(GroupMembers members) {
    this.members = members;
  }

  /**
   * From now on nothing comes into the group.
   *
   * @param bound how long those may take that others are just opening or closing
   * @throws TenancyException ETIMEDOUT when some did not end, naming them
   */
  public void run(String group, Duration bound) {
    members.close(group);
    end(group);
    if (!members.awaitEmpty(group, bound.toNanos())) {
      throw new TenancyException(
          Errno.ETIMEDOUT,
          "group "
              + group
              + ": these contexts did not end in time: "
              + members.of(group).stream()
                  .map(member -> member.spec().name() + " on " + member.device())
                  .collect(Collectors.joining(", ")));
    }
  }

  /** All contexts of a group; of one that is gone already too, which was not evicted. */
  public void end(String group) {
    List<Ending> endings = new ArrayList<>();
    for (Membership member : members.of(group)) {
      members
          .evict(member)
          .flatMap(context -> tried(member, () -> begin(context, group)))
          .ifPresent(rest -> endings.add(new Ending(member, rest)));
    }
    for (Ending ending : endings) {
      var ignored =
          tried(
              ending.member(),
              () -> {
                ending.rest().run();
                return ending;
              });
    }
  }

  private static Runnable begin(Member context, String group) {
    return context.evict("group " + group + " was deleted");
  }

  /** Whatever a device says to it: it is over all the same. */
  private static <T> Optional<T> tried(Membership member, Supplier<T> step) {
    try {
      return Optional.of(step.get());
    } catch (RuntimeException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "ending context " + member.spec().name() + " of group " + member.group(),
          e);
      return Optional.empty();
    }
  }
}
