package io.isle.core.accel.machine;

import io.isle.api.tenancy.GroupTree;
import io.isle.core.accel.group.AccelGroup;
import io.isle.core.accel.group.AccelGroupKeys;
import io.isle.core.accel.group.AccelGroups;
import io.isle.core.accel.group.Bandwidth;
import io.isle.core.accel.sched.SchedulingCore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The groups as one device's {@link SchedulingCore} knows them, by number, and which group each
 * context is in. A context whose group is not there is in the root until it comes. The agent's.
 */
final class GroupNumbers {
  private static final int ROOT = 0;
  private static final long DEFAULT_PERIOD_NS =
      TimeUnit.MICROSECONDS.toNanos(Bandwidth.DEFAULT_PERIOD_US);

  private final String device;
  private final SchedulingCore core;
  private final SchedulingSpec[] contexts;
  private final int[] placed;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final Settings[] settings;
  private final Deque<Integer> free = new ArrayDeque<>();
  private AccelGroups groups = AccelGroups.EMPTY;

  /** What the core was told of a group; a quota of 0 is none. */
  private record Settings(
      int parent, long quotaNs, long periodNs, long maxNs, long maxPeriodNs, int weight) {}

  GroupNumbers(String device, SchedulingCore core, int contexts, int capacity) {
    this.device = device;
    this.core = core;
    this.contexts = new SchedulingSpec[contexts];
    this.placed = new int[contexts];
    this.settings = new Settings[capacity];
    numbers.put(GroupTree.ROOT, ROOT);
    for (int g = ROOT + 1; g < capacity; g++) {
      free.add(g);
    }
  }

  /** The number of the group that a new context is in. */
  int join(int c, SchedulingSpec spec) {
    contexts[c] = spec;
    placed[c] = number(spec.group());
    return placed[c];
  }

  /** The context is gone; returns what it was. */
  SchedulingSpec leave(int c) {
    SchedulingSpec spec = contexts[c];
    contexts[c] = null;
    return spec;
  }

  /** Of a group, or of the root if it is not there. */
  int number(String group) {
    return numbers.getOrDefault(group, ROOT);
  }

  /** Of a number; empty where there is none. */
  Optional<String> name(int number) {
    return numbers.entrySet().stream()
        .filter(entry -> entry.getValue() == number)
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /** Whether a group has a limit, a guarantee or a weight here. */
  boolean areShared() {
    return haveGuarantees()
        || groups.all().stream()
            .anyMatch(
                group ->
                    group.max().containsKey(device)
                        || group.weight() != AccelGroupKeys.DEFAULT_WEIGHT);
  }

  /** Whether a group has a limit here. */
  boolean areLimited() {
    return groups.all().stream().anyMatch(group -> group.max().containsKey(device));
  }

  /** The period of a context's own guarantee, or of the next one on the way up; 1 s without. */
  long periodNs(int c) {
    if (contexts[c].guaranteedUs() > 0) {
      return contexts[c].periodNs();
    }
    return groups
        .guarantee(contexts[c].group(), device)
        .map(guarantee -> TimeUnit.MICROSECONDS.toNanos(guarantee.bandwidth().periodUs()))
        .orElse(DEFAULT_PERIOD_NS);
  }

  /** Whether a group has a guarantee here. */
  boolean haveGuarantees() {
    return groups.all().stream().anyMatch(group -> guarantee(group).isPresent());
  }

  private Optional<Bandwidth> guarantee(AccelGroup group) {
    return group.guarantee().map(all -> all.get(device));
  }

  /** These from now on; what lives in a group that is gone is in the root. */
  void apply(AccelGroups now) {
    remove(now);
    groups = now;
    // parents come first, so that no step makes a circle
    for (AccelGroup group : now.all()) {
      int parent = group.parent().map(numbers::get).orElse(SchedulingCore.NONE);
      set(numbers.computeIfAbsent(group.name(), name -> free.remove()), parent, group);
    }
    placeContexts();
  }

  private void remove(AccelGroups now) {
    List<AccelGroup> gone =
        groups.all().stream().filter(group -> now.find(group.name()).isEmpty()).toList();
    if (gone.isEmpty()) {
      return;
    }
    List<Integer> left = new ArrayList<>();
    for (AccelGroup group : gone.reversed()) {
      left.add(numbers.remove(group.name()));
    }
    placeContexts();
    for (AccelGroup group : now.all()) {
      Integer g = numbers.get(group.name());
      if (g != null && g != ROOT && left.contains(settings[g].parent())) {
        set(g, ROOT, group);
      }
    }
    for (int g : left) {
      core.removeGroup(g);
      settings[g] = null;
      free.add(g);
    }
  }

  private void set(int g, int parent, AccelGroup group) {
    Optional<Bandwidth> guarantee = guarantee(group);
    Optional<Bandwidth> max = Optional.ofNullable(group.max().get(device));
    Settings wanted =
        new Settings(
            parent,
            ns(guarantee.map(Bandwidth::quotaUs)),
            // a period without a quota: it is promised nothing, also not what its parent has
            group.guarantee().isPresent() && guarantee.isEmpty()
                ? DEFAULT_PERIOD_NS
                : ns(guarantee.map(Bandwidth::periodUs)),
            ns(max.map(Bandwidth::quotaUs)),
            ns(max.map(Bandwidth::periodUs)),
            group.weight());
    if (!wanted.equals(settings[g])) {
      core.setGroup(
          g,
          parent,
          wanted.quotaNs(),
          wanted.periodNs(),
          wanted.maxNs(),
          wanted.maxPeriodNs(),
          wanted.weight());
      settings[g] = wanted;
    }
  }

  private static long ns(Optional<Long> us) {
    return us.map(TimeUnit.MICROSECONDS::toNanos).orElse(0L);
  }

  private void placeContexts() {
    for (int c = 0; c < contexts.length; c++) {
      SchedulingSpec spec = contexts[c];
      if (spec != null && placed[c] != number(spec.group())) {
        placed[c] = number(spec.group());
        core.setContext(
            c, placed[c], spec.priority().ordinal(), spec.guaranteedNs(), spec.periodNs());
      }
    }
  }
}
