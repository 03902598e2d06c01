package io.isle.core.accel.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.GroupTree;
import io.isle.api.tenancy.TenancyException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.statistics.Statistics;

/** What is admitted against the same rules in whole numbers, from each guarantee upwards. */
class AdmissionPropertyTest {
  /** Parts of a million; every period divides it. */
  private static final long WHOLE = 1_000_000;

  /**
   * A group.
   *
   * @param parent index of an earlier one; -1 for the root
   * @param guaranteePercent none if negative, an empty one if 0
   * @param maxPercent none if 0 or less
   * @param contextsPercent of its contexts
   */
  record Draw(
      int parent, int guaranteePercent, int maxPercent, int contextsPercent, long periodUs) {}

  @Provide
  Arbitrary<Draw> draws() {
    return Combinators.combine(
            Arbitraries.integers().between(-1, 5),
            Arbitraries.integers().between(-20, 60),
            Arbitraries.integers().between(-60, 100),
            Arbitraries.integers().between(-20, 20),
            Arbitraries.of(100_000L, 500_000L, 1_000_000L))
        .as(Draw::new);
  }

  @Property(tries = 3000)
  void whatIsAdmittedCanBeKeptAndWhatIsRefusedCannot(
      @ForAll @Size(max = 7) List<@From("draws") Draw> draws) {
    List<GroupSpec> specs = new ArrayList<>();
    ReservedShares reserved = ReservedShares.NONE;
    for (int i = 0; i < draws.size(); i++) {
      Draw draw = draws.get(i);
      specs.add(spec(i, draw));
      if (draw.contextsPercent() > 0) {
        reserved = reserved.plus("g" + i, "soft0", Share.of(draw.contextsPercent(), 100));
      }
    }
    AccelGroups groups = AccelGroups.of(GroupTree.of(specs));
    boolean fits = fits(draws);
    Statistics.collect(fits);
    try {
      Admission.check(AccelGroups.EMPTY, groups, reserved);
      assertTrue(fits, "admitted");
    } catch (TenancyException e) {
      assertTrue(!fits, e.getMessage());
      assertTrue(e.getMessage().startsWith(e.key() + ": soft0: "), e.getMessage());
    }
  }

  /** Groups that come one by one, and stay if they are admitted. */
  @Property(tries = 1000)
  void noSequenceOfAdmittedChangesExceedsADevice(
      @ForAll @Size(max = 40) List<@From("draws") Draw> draws) {
    GroupTree tree = GroupTree.EMPTY;
    ReservedShares reserved = ReservedShares.NONE;
    for (int i = 0; i < draws.size(); i++) {
      Draw draw = draws.get(i);
      try {
        GroupTree next = tree.with(spec(i % 7, draw));
        Admission.check(AccelGroups.of(tree), AccelGroups.of(next), reserved);
        tree = next;
        if (draw.contextsPercent() > 0) {
          reserved =
              Admission.reserve(
                  AccelGroups.of(tree),
                  reserved,
                  "g" + i % 7,
                  "soft0",
                  new Bandwidth(draw.contextsPercent() * 10_000L, WHOLE));
        }
      } catch (TenancyException refused) {
        // nothing changed
      }
      AccelGroups groups = AccelGroups.of(tree);
      Share sum = Share.NONE;
      for (AccelGroup group : groups.all()) {
        Optional<AccelGroup> holder =
            groups.wayUp(group.name()).stream()
                .skip(1)
                .filter(up -> up.guarantee().isPresent())
                .findFirst();
        if (holder.isEmpty()) {
          sum = sum.plus(group.guaranteed("soft0"));
        }
        if (groups.wayUp(group.name()).stream().allMatch(up -> up.guarantee().isEmpty())) {
          sum = sum.plus(reserved.of(group.name(), "soft0"));
        }
      }
      assertTrue(sum.compareTo(Share.WHOLE) <= 0, sum.toString());
    }
  }

  @Property(tries = 500)
  void sharesAddUp(@ForAll @Size(max = 20) List<@From("draws") Draw> draws) {
    Share sum = Share.NONE;
    long parts = 0;
    for (Draw draw : draws) {
      long part = Math.max(0, draw.maxPercent());
      sum = sum.plus(Share.of(part * draw.periodUs(), 100 * draw.periodUs()));
      parts += part;
    }
    assertEquals(Share.of(parts, 100), sum);
    assertEquals(parts + " %", sum.toString());
    assertEquals(Share.NONE, sum.minus(sum.plus(Share.of(1, 1_000_000_000))));
  }

  private static int parent(int index, Draw draw) {
    return Math.min(draw.parent(), index - 1);
  }

  private static GroupSpec spec(int index, Draw draw) {
    Map<String, String> raw = new HashMap<>();
    int parent = parent(index, draw);
    raw.put("parent", parent < 0 ? GroupTree.ROOT : "g" + parent);
    if (draw.guaranteePercent() >= 0) {
      raw.put("compute.guarantee", text(draw.guaranteePercent(), draw.periodUs()));
    }
    if (draw.maxPercent() > 0) {
      raw.put("compute.max", text(draw.maxPercent(), draw.periodUs()));
    }
    return GroupSpec.of("g" + index, raw);
  }

  private static String text(int percent, long periodUs) {
    return percent == 0 ? "" : "soft0 " + periodUs / 100 * percent + " " + periodUs;
  }

  /** By adding each guarantee to whom it comes out of, and to all whose maximum it goes through. */
  private static boolean fits(List<Draw> draws) {
    int root = draws.size();
    long[] outOf = new long[root + 1];
    long[] through = new long[root + 1];
    for (int i = 0; i < root; i++) {
      Draw draw = draws.get(i);
      if (draw.guaranteePercent() >= 0) {
        take(draws, outOf, through, parent(i, draw), draw.guaranteePercent(), i);
      }
      if (draw.contextsPercent() > 0) {
        take(draws, outOf, through, i, draw.contextsPercent(), -1);
      }
    }
    boolean fits = outOf[root] <= 100;
    for (int i = 0; i < root; i++) {
      Draw draw = draws.get(i);
      fits &= draw.guaranteePercent() < 0 || outOf[i] <= draw.guaranteePercent();
      fits &= draw.maxPercent() <= 0 || through[i] <= draw.maxPercent();
    }
    return fits;
  }

  /**
   * Goes up to the nearest that has a guarantee.
   *
   * @param itself its own maximum counts too; -1 for contexts
   */
  private static void take(
      List<Draw> draws, long[] outOf, long[] through, int from, int percent, int itself) {
    if (itself >= 0) {
      through[itself] += percent;
    }
    int at = from;
    while (at >= 0 && draws.get(at).guaranteePercent() < 0) {
      through[at] += percent;
      at = parent(at, draws.get(at));
    }
    outOf[at < 0 ? draws.size() : at] += percent;
  }
}
