package io.isle.core.accel.admission;

import io.isle.api.base.MonotonicClock;
import io.isle.api.tenancy.GroupCounters;
import io.isle.core.accel.group.AccelGroup;
import io.isle.core.accel.group.AccelGroups;
import io.isle.core.accel.group.MemoryLedger;
import io.isle.core.accel.usage.Tally;
import io.isle.core.accel.usage.Tally.Counts;
import io.isle.core.accel.usage.WaitTimes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Function;

/**
 * What groups have had of devices, each with all below it; the root by itself, too. Counters
 * outlive contexts and, in the groups above, groups: what a context had counts for the groups that
 * it was in when it had it. Thread-safe.
 */
public final class GroupAccounts {
  /**
   * Of a group on a device.
   *
   * @param all with the groups below it
   * @param alone of the root, contexts directly in it: what its tenants may see
   */
  private record Account(Tally all, Tally alone) {}

  /** A living context, and what of it is in the accounts already. */
  private record Settled(Member member, Counts counts) {}

  private final MonotonicClock clock;
  private final MemoryLedger ledger = new MemoryLedger();

  /** Living contexts, oldest first. */
  private final Map<Membership, Settled> settled = new LinkedHashMap<>();

  /** By group, then device. */
  private final Map<String, Map<String, Account>> accounts = new HashMap<>();

  private AccelGroups groups = AccelGroups.EMPTY;

  GroupAccounts(MonotonicClock clock) {
    this.clock = clock;
  }

  /** Device memory by group. */
  public MemoryLedger memory() {
    return ledger;
  }

  /** A context is there. */
  synchronized void open(Membership membership, Member member) {
    settled.put(membership, new Settled(member, Counts.NONE));
  }

  /** A context is over; what it had counts on. */
  synchronized void close(Membership membership) {
    settle(membership);
    WaitTimes waits = settled.remove(membership).member().waits();
    String device = membership.device();
    List<AccelGroup> way = way(membership);
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

  private void settle(Membership membership) {
    Settled before = settled.get(membership);
    Counts now = before.member().counts();
    Counts more = now.minus(before.counts());
    settled.put(membership, new Settled(before.member(), now));
    String device = membership.device();
    List<AccelGroup> way = way(membership);
    if (isOfRoot(way)) {
      account(way.getFirst().name(), device).alone().add(more);
    }
    way.forEach(group -> account(group.name(), device).all().add(more));
  }

  private static boolean isOfRoot(List<AccelGroup> way) {
    return way.size() == 1;
  }

  /** The groups that a context counts for, its own first. */
  private List<AccelGroup> way(Membership membership) {
    return groups.wayUp(groups.resolve(membership.group()).name());
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
  public synchronized SequencedMap<String, Long> stat(String group) {
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

  /** Looks at what groups have of devices: all of it at one time, counted once. */
  synchronized <T> T look(Function<Look, T> reader) {
    settle();
    return reader.apply(new Look());
  }

  /** What groups have of devices at one time; for use within {@link #look}. */
  final class Look {
    /** By group, then device, oldest first. */
    private final Map<String, Map<String, List<Member>>> living = new HashMap<>();

    /** By device: those directly in the root. */
    private final Map<String, List<Member>> alone = new HashMap<>();

    private Look() {
      settled.forEach(this::add);
    }

    private void add(Membership membership, Settled there) {
      String device = membership.device();
      List<AccelGroup> way = way(membership);
      if (isOfRoot(way)) {
        add(alone, device, there.member());
      }
      for (AccelGroup group : way) {
        add(living.computeIfAbsent(group.name(), name -> new HashMap<>()), device, there.member());
      }
    }

    private static void add(Map<String, List<Member>> byDevice, String device, Member member) {
      byDevice.computeIfAbsent(device, id -> new ArrayList<>()).add(member);
    }

    /** Whether a group has, or had, something of a device. */
    boolean has(String group, String device) {
      return accounts.getOrDefault(group, Map.of()).containsKey(device);
    }

    /**
     * The contexts that live in a group, with all below it.
     *
     * @param root of the root, without the groups below it
     */
    List<Member> living(String group, String device, boolean root) {
      return (root ? alone : living.getOrDefault(group, Map.of())).getOrDefault(device, List.of());
    }

    /** What all of them had, and those before them. */
    Tally tally(String group, String device, boolean root) {
      Account known = accounts.getOrDefault(group, Map.of()).get(device);
      // a look makes no account: what was never used is not listed
      Account account = known == null ? fresh() : known;
      return root ? account.alone() : account.all();
    }
  }
}
