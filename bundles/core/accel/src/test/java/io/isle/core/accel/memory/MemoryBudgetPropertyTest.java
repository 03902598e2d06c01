package io.isle.core.accel.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelException;
import io.isle.api.base.Errno;
import io.isle.api.tenancy.GroupSpec;
import io.isle.core.accel.group.AccelGroup;
import io.isle.core.accel.group.AccelGroups;
import io.isle.core.accel.group.MemoryLedger;
import io.isle.core.accel.group.Trees;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.statistics.Statistics;

/** Memory of contexts that come, take, give and go against the same rules over a plain list. */
class MemoryBudgetPropertyTest {
  private static final List<String> NAMES = List.of("a", "b", "c", "d");
  private static final List<String> PARENTS = List.of("default", "a", "b", "c");

  /**
   * Something that happens.
   *
   * @param what 0 open, 1 to 4 take, 5 to 6 give, 7 end, 8 other groups
   * @param which of the groups or contexts
   */
  record Step(int what, int which, long bytes) {}

  private static final class Held {
    private final MemoryBudget budget;
    private final String group;
    private final long limit;
    private final List<Long> pieces = new ArrayList<>();
    private boolean ended;

    Held(MemoryBudget budget, String group, long limit) {
      this.budget = budget;
      this.group = group;
      this.limit = limit;
    }

    long sum() {
      return ended ? 0 : pieces.stream().mapToLong(Long::longValue).sum();
    }
  }

  private MemoryLedger ledger;
  private List<Held> contexts;
  private Map<String, Long> peaks;
  private AccelGroups groups;

  @Provide
  Arbitrary<Step> steps() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 8),
            Arbitraries.integers().between(0, 1000),
            Arbitraries.longs().between(0, 600))
        .as(Step::new);
  }

  @Property(tries = 500)
  void noLimitIsExceededAndAllComesBack(@ForAll @Size(max = 60) List<@From("steps") Step> steps) {
    ledger = new MemoryLedger();
    contexts = new ArrayList<>();
    peaks = new HashMap<>();
    groups = AccelGroups.EMPTY;
    for (Step step : steps) {
      apply(step);
      compare();
    }
    contexts.forEach(
        held -> {
          held.budget.end();
          held.ended = true;
        });
    compare();
    assertEquals(0, ledger.used("default"));
  }

  private void apply(Step step) {
    switch (step.what()) {
      case 0 -> {
        String group = NAMES.get(step.which() % NAMES.size());
        long limit = step.bytes() % 3 == 0 ? 0 : step.bytes() * 2;
        String device = "soft" + step.which() % 2;
        contexts.add(new Held(new MemoryBudget(limit, ledger, group, device), group, limit));
      }
      case 8 -> regroup(step);
      default -> {
        if (!contexts.isEmpty()) {
          change(contexts.get(step.which() % contexts.size()), step);
        }
      }
    }
  }

  private void change(Held held, Step step) {
    if (step.what() == 7) {
      held.budget.end();
      held.ended = true;
    } else if (step.what() >= 5) {
      if (!held.pieces.isEmpty()) {
        held.budget.give(held.pieces.removeLast());
      }
    } else {
      take(held, step.bytes());
    }
  }

  private void take(Held held, long bytes) {
    boolean fits = held.ended || fits(held, bytes);
    Statistics.collect(fits);
    try {
      held.budget.take(bytes);
      assertTrue(fits, "taken beyond a limit");
      held.pieces.add(bytes);
    } catch (AccelException e) {
      assertEquals(Errno.ENOMEM, e.code());
      assertTrue(!fits, e::getMessage);
    }
  }

  private boolean fits(Held held, long bytes) {
    return (held.limit == 0 || held.sum() + bytes <= held.limit)
        && groups.wayUp(in(held)).stream()
            .allMatch(group -> bytes <= group.memoryMaxBytes() - sum(group.name()));
  }

  /** Each group is below one of the earlier ones or not there. */
  private void regroup(Step step) {
    List<GroupSpec> specs = new ArrayList<>();
    long draw = step.bytes() + step.which() * 601L;
    for (int i = 0; i < NAMES.size(); i++) {
      boolean there = i == 0 || draw % 3 != 0;
      String parent = PARENTS.get((int) (draw % (i + 1)));
      boolean known =
          parent.equals("default") || specs.stream().anyMatch(one -> one.name().equals(parent));
      if (there) {
        specs.add(
            Trees.group(
                NAMES.get(i),
                "parent",
                known ? parent : "default",
                "memory.max",
                draw % 5 == 0 ? "max" : Long.toString(200 + draw % 1200)));
      }
      draw /= 3;
    }
    groups = Trees.accel(specs.toArray(new GroupSpec[0]));
    peaks.keySet().removeIf(name -> groups.find(name).isEmpty());
    ledger.apply(groups);
  }

  private String in(Held held) {
    return groups.find(held.group).isPresent() ? held.group : "default";
  }

  private long sum(String group) {
    return contexts.stream()
        .filter(held -> groups.wayUp(in(held)).stream().anyMatch(one -> one.name().equals(group)))
        .mapToLong(Held::sum)
        .sum();
  }

  private void compare() {
    for (AccelGroup group : groups.all()) {
      String name = group.name();
      long now = sum(name);
      peaks.merge(name, now, Math::max);
      assertEquals(now, ledger.used(name), name);
      assertEquals(peaks.get(name), ledger.peak(name), name);
      assertEquals(now, ledger.used(name, "soft0", false) + ledger.used(name, "soft1", false));
    }
    contexts.forEach(held -> assertEquals(held.sum(), held.budget.used()));
  }
}
