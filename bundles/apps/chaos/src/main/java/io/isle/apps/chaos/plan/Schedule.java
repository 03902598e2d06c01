package io.isle.apps.chaos.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * The faults of a run, a pure function of seed and fleet: step n is the same however long the run.
 * Time is cut into rounds; each round has every kind once, in an order and at times that the seed
 * gives.
 */
public final class Schedule {
  /** Milliseconds of a round: 13 of each kind a minute, 3 more than a run must see. */
  public static final int ROUND_MS = 4500;

  /** Least faults of each kind a minute. */
  public static final int WANTED_A_MINUTE = 10;

  private static final int CHOICES = 1000;

  private final Fleet fleet;
  private final Random random;
  private final Map<String, Integer> tiers = new TreeMap<>();
  private final List<Step> steps = new ArrayList<>();

  private Schedule(long seed, Fleet fleet) {
    this.fleet = fleet;
    this.random = new Random(seed);
    fleet.machines().forEach(machine -> tiers.put(machine.id(), machine.tier()));
  }

  /** All steps of a run of that length, by time; whole rounds. */
  public static List<Step> of(long seed, Fleet fleet, long lengthMs) {
    Schedule schedule = new Schedule(seed, fleet);
    for (long start = 0; start < lengthMs; start += ROUND_MS) {
      schedule.round(start);
    }
    return List.copyOf(schedule.steps);
  }

  /** Each kind on each target that it fits, once, at no particular time: what warms a node up. */
  public static List<Step> once(Fleet fleet) {
    Schedule schedule = new Schedule(0, fleet);
    for (FaultKind kind : FaultKind.values()) {
      for (String target : new LinkedHashSet<>(schedule.targets(kind))) {
        schedule.add(0, kind, target);
        if (kind == FaultKind.TIER) {
          schedule.add(0, kind, target);
        }
      }
    }
    return List.copyOf(schedule.steps);
  }

  /** Faults of each kind that a run of that length must see at least. */
  public static long wanted(double minutes) {
    return (long) Math.ceil(WANTED_A_MINUTE * minutes);
  }

  private void round(long start) {
    List<FaultKind> kinds = new ArrayList<>(Arrays.asList(FaultKind.values()));
    Collections.shuffle(kinds, random);
    int slot = ROUND_MS / kinds.size();
    for (int i = 0; i < kinds.size(); i++) {
      long at = start + (long) i * slot + random.nextInt(slot);
      List<String> targets = targets(kinds.get(i));
      add(at, kinds.get(i), targets.get(random.nextInt(targets.size())));
    }
  }

  private void add(long at, FaultKind kind, String target) {
    int choice = random.nextInt(CHOICES);
    if (kind == FaultKind.TIER) {
      choice = 3 - tiers.get(target);
      tiers.put(target, choice);
    }
    steps.add(new Step(steps.size() + 1, at, kind, target, choice));
  }

  /** Where the kind may act now; a bundle is there as often as its weight says. */
  private List<String> targets(FaultKind kind) {
    if (kind == FaultKind.BUNDLE_RESTART) {
      return fleet.parts().stream()
          .flatMap(part -> Collections.nCopies(part.weight(), part.bundle()).stream())
          .toList();
    }
    return fleet.machines().stream().filter(m -> fits(kind, m)).map(Machine::id).toList();
  }

  private boolean fits(FaultKind kind, Machine machine) {
    return switch (kind) {
      case CRASH_SEGV, CRASH_ABORT, CRASH_EXIT -> machine.java() || isolated(machine);
      case CRASH_KILL, HOST_HANG -> isolated(machine);
      case TIER -> machine.moves() && (tiers.get(machine.id()) == 1 || isolatedMachines() > 1);
      default -> true;
    };
  }

  /** A native crash of a driver in the platform's process would end the platform. */
  private boolean isolated(Machine machine) {
    return tiers.get(machine.id()) == 2;
  }

  private long isolatedMachines() {
    return fleet.machines().stream().filter(this::isolated).count();
  }
}
