package io.isle.core.accel.admission;

import io.isle.api.accel.GroupUsage;
import io.isle.api.accel.Usage;
import io.isle.api.base.GroupNames;
import io.isle.api.base.MonotonicClock;
import io.isle.core.accel.group.AccelGroup;
import io.isle.core.accel.group.AccelGroups;
import io.isle.core.accel.group.Admission;
import io.isle.core.accel.group.ReservedShares;
import io.isle.core.accel.usage.ShareWindow;
import io.isle.core.accel.usage.Tally;
import io.isle.core.accel.usage.Tally.Counts;
import io.isle.core.accel.usage.WaitTimes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/** What groups were promised and have of devices, put together for tenants and managers. */
public final class GroupFigures {
  /** What a group is promised of a device. */
  private record Promise(double percent, String by) {}

  private final GroupMembers members;
  private final MonotonicClock clock;

  public GroupFigures(GroupMembers members, MonotonicClock clock) {
    this.members = members;
    this.clock = clock;
  }

  /**
   * By group, parents first, then device: of the root all, of others those that are promised
   * something or have used it.
   *
   * @param devices in their order
   */
  public List<GroupUsage> all(Collection<String> devices) {
    AccelGroups groups = members.groups();
    ReservedShares reserved = members.reserved();
    return members
        .accounts()
        .look(
            look -> {
              List<GroupUsage> rows = new ArrayList<>();
              for (AccelGroup group : groups.all()) {
                for (String device : devices) {
                  if (group.parent().isEmpty()
                      || look.has(group.name(), device)
                      || groups.guarantee(group.name(), device).isPresent()) {
                    Promise promise = promise(groups, reserved, group.name(), device, false);
                    rows.add(row(group.name(), device, false, promise, look));
                  }
                }
              }
              return rows;
            });
  }

  /**
   * Of one group, which may be one that nobody made.
   *
   * @param alone of the root, without the groups below it
   */
  public GroupUsage of(String name, String device, boolean alone) {
    AccelGroups groups = members.groups();
    String group = groups.resolve(name).name();
    Promise promise = promise(groups, members.reserved(), group, device, alone);
    return members.accounts().look(look -> row(group, device, alone, promise, look));
  }

  private static Promise promise(
      AccelGroups groups, ReservedShares reserved, String group, String device, boolean alone) {
    if (alone) {
      return new Promise(reserved.of(group, device).percent(), "");
    }
    if (group.equals(GroupNames.DEFAULT)) {
      return new Promise(Admission.promised(groups, reserved, device).percent(), "");
    }
    Optional<AccelGroups.Guarantee> guarantee = groups.guarantee(group, device);
    return guarantee
        .map(found -> new Promise(found.bandwidth().share().percent(), found.group()))
        .orElseGet(() -> new Promise(0, ""));
  }

  private GroupUsage row(
      String group, String device, boolean alone, Promise promise, GroupAccounts.Look look) {
    List<Member> contexts = look.living(group, device, alone);
    Tally tally = look.tally(group, device, alone);
    Usage usage = usage(group, device, alone, promise, contexts, tally);
    return new GroupUsage(group, device, promise.by(), contexts.size(), usage);
  }

  private Usage usage(
      String group,
      String device,
      boolean alone,
      Promise promise,
      List<Member> contexts,
      Tally tally) {
    long pending = 0;
    long inFlight = 0;
    Histogram waited = WaitTimes.histogram();
    tally.addTo(waited);
    for (Member context : contexts) {
      pending += context.pending();
      inFlight += context.running();
      context.waits().addTo(waited);
    }
    Counts counts = tally.counts();
    ShareWindow.Share share = tally.share(clock.nanoTime());
    WaitTimes.Waits waits = WaitTimes.Waits.of(waited);
    return new Usage(
        promise.percent(),
        share.percent(),
        share.windowNs(),
        counts.givenNs(),
        counts.busyNs(),
        counts.submitted(),
        pending,
        inFlight,
        waits.p50Ns(),
        waits.p99Ns(),
        members.accounts().memory().used(group, device, alone),
        members.accounts().memory().peak(group, device, alone),
        counts.preemptions(),
        counts.overruns(),
        counts.throttledNs());
  }
}
