package io.isle.core.accel;

import io.isle.api.base.MonotonicClock;
import io.isle.api.tenancy.GroupCounters;
import io.isle.core.accel.Tally.Counts;
import io.isle.core.accel.group.AccelGroup;
import io.isle.core.accel.group.AccelGroups;
import io.isle.core.accel.group.MemoryLedger;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * What groups have had of devices, each with all below it; the root by itself, too. Counters
 * outlive contexts and, in the groups above, groups: what a context had counts for the groups that
 * it was in when it had it. Thread-safe.
 */
final class GroupAccounts {
  /**
   * Of a group on a device.
   *
   * @param all with the groups below it
   * @param alone of the root, contexts directly in it: what its tenants may see
   */
  private record Account(Tally all, Tally alone) {}

  private final MonotonicClock clock;
  private final MemoryLedger ledger = new MemoryLedger();

  /** Living contexts, and what of them is in the accounts already. */
  private final Map<ExecutionContext, Counts> settled = new LinkedHashMap<>();

  /** By group, then device. */
  private final Map<String, Map<String, Account>> accounts = new HashMap<>();

  private AccelGroups groups = AccelGroups.EMPTY;

  GroupAccounts(MonotonicClock clock) {
    this.clock = clock;
  }

  /** Device memory by group. */
  MemoryLedger memory() {
    return ledger;
  }

  /** A context is there. */
  synchronized void open(ExecutionContext context) {
    settled.put(context, Counts.NONE);
  }

  /** A context is over; what it had counts on. */
  synchronized void close(ExecutionContext context) {
    settle(context);
    settled.remove(context);
    String device = context.seat().place().deviceId();
    WaitTimes waits = context.seat().queue().waits;
    List<AccelGroup> way = way(context);
    if (isOfRoot(way)) {
      account(way.getFirst().name(), device).alone().addEnded(waits);
    }
    way.forEach(group -> account(group.name(), device).all().addEnded(waits));
  }

  /** Other groups: what contexts had so far stays with those that they were in. */
  synchronized void apply(AccelGroups next) {
    settle();
    groups = next;
    ledger.apply(next);
    accounts.keySet().removeIf(name -> next.find(name).isEmpty());
  }

  private void settle() {
    settled.keySet().forEach(this::settle);
  }

  private void settle(ExecutionContext context) {
    Counts now = context.seat().counts();
    Counts more = now.minus(settled.put(context, now));
    String device = context.seat().place().deviceId();
    List<AccelGroup> way = way(context);
    if (isOfRoot(way)) {
      account(way.getFirst().name(), device).alone().add(more);
    }
    way.forEach(group -> account(group.name(), device).all().add(more));
  }

  private static boolean isOfRoot(List<AccelGroup> way) {
    return way.size() == 1;
  }

  /** The groups that a context counts for, its own first. */
  private List<AccelGroup> way(ExecutionContext context) {
    return groups.wayUp(GroupRules.resolve(groups, context.seat().group()).name());
  }

  private Account account(String group, String device) {
    return accounts
        .computeIfAbsent(group, name -> new HashMap<>())
        .computeIfAbsent(device, id -> fresh());
  }

  private Account fresh() {
    return new Account(new Tally(clock.nanoTime()), new Tally(clock.nanoTime()));
  }

  /**
   * Counters of a group with all below it, on all devices; see {@link GroupCounters}.
   *
   * @return empty for a group that is not there
   */
  synchronized SequencedMap<String, Long> stat(String group) {
    SequencedMap<String, Long> stat = new LinkedHashMap<>();
    if (groups.find(group).isEmpty()) {
      return stat;
    }
    settle();
    Counts sum =
        accounts.getOrDefault(group, Map.of()).values().stream()
            .map(account -> account.all().counts())
            .reduce(Counts.NONE, Counts::plus);
    stat.put(GroupCounters.COMPUTE_TIME_US, sum.givenNs() / 1000);
    stat.put(GroupCounters.MEMORY_CURRENT, ledger.used(group));
    stat.put(GroupCounters.MEMORY_PEAK, ledger.peak(group));
    stat.put(GroupCounters.SUBMISSIONS, sum.submitted());
    stat.put(GroupCounters.PREEMPTIONS, sum.preemptions());
    stat.put(GroupCounters.FAULTS, 0L);
    stat.put(GroupCounters.MIGRATIONS, 0L);
    stat.put(GroupCounters.OVERRUNS, sum.overruns());
    stat.put(GroupCounters.THROTTLED_US, sum.throttledNs() / 1000);
    return stat;
  }

  /** Devices of which a group has, or had, something. */
  synchronized Set<String> devices(String group) {
    settle();
    return new TreeSet<>(accounts.getOrDefault(group, Map.of()).keySet());
  }

  /**
   * Gives a look at what a group has of a device now.
   *
   * @param alone of the root, without the groups below it
   * @param reader gets the contexts that live in it, and what all of them had
   */
  synchronized <T> T look(
      String group,
      String device,
      boolean alone,
      BiFunction<List<ExecutionContext>, Tally, T> reader) {
    settle();
    List<ExecutionContext> living =
        settled.keySet().stream()
            .filter(context -> context.seat().place().deviceId().equals(device))
            .filter(context -> isIn(context, group, alone))
            .collect(Collectors.toList());
    Account known = accounts.getOrDefault(group, Map.of()).get(device);
    // a look makes no account: what was never used is not listed
    Account account = known == null ? fresh() : known;
    return reader.apply(living, alone ? account.alone() : account.all());
  }

  private boolean isIn(ExecutionContext context, String group, boolean alone) {
    List<AccelGroup> way = way(context);
    return alone
        ? way.getFirst().name().equals(group)
        : way.stream().anyMatch(one -> one.name().equals(group));
  }
}
