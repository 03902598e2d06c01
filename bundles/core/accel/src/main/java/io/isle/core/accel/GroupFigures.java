package io.isle.core.accel;

import io.isle.api.accel.GroupUsage;
import io.isle.api.accel.Usage;
import io.isle.api.base.GroupNames;
import io.isle.api.base.MonotonicClock;
import io.isle.core.accel.Tally.Counts;
import io.isle.core.accel.group.AccelGroup;
import io.isle.core.accel.group.AccelGroups;
import io.isle.core.accel.group.Admission;
import io.isle.core.accel.group.Carved;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/** What groups were promised and have of devices, put together for tenants and managers. */
final class GroupFigures {
  /** What a group is promised of a device. */
  private record Promise(double percent, String by) {}

  private final GroupMembers members;
  private final MonotonicClock clock;

  GroupFigures(GroupMembers members, MonotonicClock clock) {
    this.members = members;
    this.clock = clock;
  }

  /**
   * By group, parents first, then device: of the root all, of others those that are promised
   * something or have used it.
   *
   * @param devices in their order
   */
  List<GroupUsage> all(Collection<String> devices) {
    AccelGroups groups = members.groups();
    List<GroupUsage> rows = new ArrayList<>();
    for (AccelGroup group : groups.all()) {
      Collection<String> used = members.accounts().devices(group.name());
      for (String device : devices) {
        boolean shown =
            group.parent().isEmpty()
                || used.contains(device)
                || groups.guarantee(group.name(), device).isPresent();
        if (shown) {
          rows.add(of(group.name(), device, false));
        }
      }
    }
    return rows;
  }

  /**
   * Of one group, which may be one that nobody made.
   *
   * @param alone of the root, without the groups below it
   */
  GroupUsage of(String name, String device, boolean alone) {
    String group = GroupRules.resolve(members.groups(), name).name();
    Promise promise = promise(group, device, alone);
    return members
        .accounts()
        .look(
            group,
            device,
            alone,
            (contexts, tally) ->
                new GroupUsage(
                    group,
                    device,
                    promise.by(),
                    contexts.size(),
                    usage(group, device, alone, promise, contexts, tally)));
  }

  private Promise promise(String group, String device, boolean alone) {
    AccelGroups groups = members.groups();
    Carved carved = members.carved();
    if (alone) {
      return new Promise(carved.of(group, device).percent(), "");
    }
    if (group.equals(GroupNames.DEFAULT)) {
      return new Promise(Admission.promised(groups, carved, device).percent(), "");
    }
    Optional<AccelGroups.Guarantee> guarantee = groups.guarantee(group, device);
    return guarantee
        .map(found -> new Promise(found.bandwidth().share().percent(), found.group()))
        .orElseGet(() -> new Promise(0, ""));
  }

  private Usage usage(
      String group,
      String device,
      boolean alone,
      Promise promise,
      List<ExecutionContext> contexts,
      Tally tally) {
    long pending = 0;
    long inFlight = 0;
    Histogram waited = WaitTimes.histogram();
    tally.addTo(waited);
    for (ExecutionContext context : contexts) {
      ContextSeat seat = context.seat();
      pending += seat.pending();
      inFlight += seat.queue().log.running();
      seat.queue().waits.addTo(waited);
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
