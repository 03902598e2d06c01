package io.isle.core.accel.sched;

import static io.isle.core.accel.sched.SimulatedEngine.MS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** What tenants were promised, on a simulated device, whatever the others do. */
class GuaranteesPropertyTest {
  private static final int FLOODERS = 3;

  /** A promise, and whose it is: a context's or, with two contexts, a group's. */
  private record Promise(long quota, long period, List<SimulatedEngine.Tenant> tenants) {
    long given() {
      return tenants.stream().mapToLong(t -> t.given).sum();
    }

    long due(long time) {
      return (long) ((double) time * quota / period);
    }
  }

  /** A device with promises of less than all of it, and others that flood it. */
  private static final class Scene {
    final Random random;
    final int depth;
    final long most;
    final SchedulingCore core;
    final SimulatedEngine engine;
    final List<Promise> promises = new ArrayList<>();
    final List<SimulatedEngine.Tenant> flooders = new ArrayList<>();
    private int contexts;

    Scene(long seed, int depth, Answers answers) {
      random = new Random(seed);
      this.depth = depth;
      most = 200_000 + random.nextLong(2 * MS);
      core = new SchedulingCore(32, 16, depth, 1, SchedulingPolicy.GUARANTEED, seed);
      engine = new SimulatedEngine(core, depth);
      engine.clockError = () -> seed;
      engine.answers = () -> answers.next(random);
      int percent = 95;
      for (int g = 1; g <= 4; g++) {
        int share = 1 + random.nextInt(percent / 2);
        percent -= share;
        long period = (1 + random.nextInt(50)) * MS;
        long quota = Math.max(1000, period * share / 100);
        boolean group = random.nextBoolean();
        core.setGroup(g, 0, group ? quota : 0, period, 0, 0, 1 + random.nextInt(1000));
        List<SimulatedEngine.Tenant> tenants = new ArrayList<>();
        for (int i = 0; i < (group ? 2 : 1); i++) {
          tenants.add(tenant(g, group ? 0 : quota, period));
        }
        promises.add(new Promise(quota, period, tenants));
      }
      core.setGroup(5, 0, 0, 0, 0, 0, 1 + random.nextInt(10_000));
      for (int i = 0; i < FLOODERS; i++) {
        flooders.add(tenant(5, 0, 0));
      }
    }

    SimulatedEngine.Tenant tenant(int group, long quota, long period) {
      int c = contexts++;
      // one priority: above others a context with budget may take what they have budget for
      core.open(c, group, 1, quota, period);
      long longest = most / 20 + random.nextLong(most * 19 / 20);
      var tenant = engine.tenant(c, () -> 1 + random.nextLong(longest));
      int failing = random.nextInt(4);
      tenant.fails = () -> random.nextInt(10) < failing;
      return tenant;
    }

    /** What one submission each, and those in flight, may shift. */
    long granularity() {
      return (depth + 2) * most;
    }
  }

  @Property(tries = 300)
  void everyAdmittedGuaranteeIsMetAndNoMore(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 4) int depth, @ForAll Answers answers) {
    Scene scene = new Scene(seed >> 8, depth, answers);
    scene.promises.forEach(p -> p.tenants.forEach(SimulatedEngine.Tenant::floods));
    scene.flooders.forEach(SimulatedEngine.Tenant::floods);
    for (long time = 20 * MS; time <= 3_000 * MS; time += 20 * MS) {
      scene.engine.run(time);
      for (Promise promise : scene.promises) {
        long given = promise.given();
        long slack = promise.quota + scene.granularity();
        assertTrue(given >= promise.due(time) - slack, time + ": " + given + " of " + promise);
        assertTrue(given <= promise.due(time) + slack, time + ": " + given + " of " + promise);
      }
    }
    for (SimulatedEngine.Tenant flooder : scene.flooders) {
      assertTrue(flooder.ended > 0, "nobody starves within a priority");
    }
  }

  /** Some have little to do, or nothing for a while; whoever has much gets all of its promise. */
  @Property(tries = 300)
  void whoAsksForItsGuaranteeGetsItWhateverOthersDo(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 4) int depth, @ForAll Answers answers) {
    Scene scene = new Scene(seed >> 8, depth, answers);
    Promise asking = scene.promises.get(scene.random.nextInt(scene.promises.size()));
    asking.tenants.getFirst().floods();
    for (SimulatedEngine.Tenant tenant : scene.engine.tenants) {
      if (!asking.tenants.contains(tenant)) {
        switch (scene.random.nextInt(3)) {
          case 0 -> tenant.floods();
          case 1 -> tenant.synchronous(scene.random.nextLong(5 * MS));
          default ->
              tenant.periodic(
                  scene.random.nextLong(50 * MS),
                  MS + scene.random.nextLong(50 * MS),
                  1 + scene.random.nextInt(20));
        }
      }
    }
    scene.engine.onRest =
        () ->
            scene.engine.tenants.forEach(
                t -> assertEquals(0, t.pending, "the device rests, and " + t.context + " waits"));
    for (long time = 50 * MS; time <= 2_000 * MS; time += 50 * MS) {
      scene.engine.run(time);
      long slack = asking.quota + scene.granularity();
      assertTrue(
          asking.given() >= asking.due(time) - slack,
          time + ": " + asking.given() + " of " + asking);
    }
  }

  /**
   * The new rate from the change on; and in no window, be it across the change, more than the
   * larger of both rates and one quota.
   */
  @Property(tries = 300)
  void aPromiseThatChangesGivesNoMoreThanTheLargerOfBoth(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 2) int depth) {
    Random random = new Random(seed >> 8);
    SchedulingCore core = new SchedulingCore(2, 2, depth, 1, SchedulingPolicy.GUARANTEED, 0);
    SimulatedEngine engine = new SimulatedEngine(core, depth);
    long[] period = {(1 + random.nextInt(50)) * MS, (1 + random.nextInt(50)) * MS};
    long[] quota = new long[2];
    for (int i = 0; i < 2; i++) {
      quota[i] = Math.max(1000, period[i] * (1 + random.nextInt(60)) / 100);
    }
    core.setGroup(1, 0, quota[0], period[0], 0, 0, 100);
    core.open(0, 1, 1, 0, 0);
    core.open(1, 0, 1, 0, 0);
    long longest = 50_000;
    var promised = engine.tenant(0, () -> 1 + random.nextLong(longest)).floods();
    engine.tenant(1, () -> 1 + random.nextLong(longest)).floods();
    long granularity = (depth + 2) * longest;
    double rate = Math.max((double) quota[0] / period[0], (double) quota[1] / period[1]);
    double most = Math.max(quota[0], quota[1]) + granularity;
    long change = 100 * MS + random.nextLong(100 * MS);
    String what = quota[0] + "/" + period[0] + " to " + quota[1] + "/" + period[1] + " at ";
    double least = 0;
    long atChange = -1;
    for (long time = MS / 4; time <= 500 * MS; time += MS / 4) {
      if (atChange < 0 && time > change) {
        engine.run(change);
        atChange = promised.given;
        core.setGroup(1, 0, quota[1], period[1], 0, 0, 100);
      }
      engine.run(time);
      double ahead = promised.given - rate * time;
      least = Math.min(least, ahead);
      assertTrue(ahead - least <= most, what + change + ": " + (ahead - least) + " at " + time);
      if (atChange >= 0) {
        // the rest of a period, and what is used in one is used by its end
        double due = (double) (time - change) * quota[1] / period[1] - 2 * quota[1] - granularity;
        assertTrue(promised.given - atChange >= due, what + change + ": too little at " + time);
      }
    }
  }

  @Property(tries = 200)
  void equalsOfAPriorityWaitForEachOtherOnly(@ForAll long seed, @ForAll Answers answers) {
    Scene scene = new Scene(seed >> 8, 2, answers);
    scene.promises.forEach(p -> p.tenants.forEach(SimulatedEngine.Tenant::floods));
    scene.flooders.forEach(SimulatedEngine.Tenant::floods);
    scene.engine.run(5_000 * MS);
    // they have 5 % at least, in turn, behind the longest budget of others
    long longest = scene.promises.stream().mapToLong(p -> p.quota).sum();
    long bound = 20 * (FLOODERS + 2) * scene.most + 20 * longest;
    for (SimulatedEngine.Tenant flooder : scene.flooders) {
      assertTrue(flooder.longestWait <= bound, flooder.longestWait + " of " + bound);
    }
  }

  @Property(tries = 100)
  void theSameInputsGiveTheSameOrder(@ForAll long seed, @ForAll Answers answers) {
    List<Integer> first = order(seed, answers);
    assertEquals(first, order(seed, answers));
    assertFalse(first.isEmpty());
  }

  private static List<Integer> order(long seed, Answers answers) {
    Scene scene = new Scene(seed >> 8, 3, answers);
    List<Integer> order = new ArrayList<>();
    scene.engine.onStart = order::add;
    scene.engine.tenants.forEach(SimulatedEngine.Tenant::floods);
    scene.engine.run(100 * MS);
    return order;
  }

  /** Settings change, contexts and groups come and go, policies change, the clock jumps. */
  @Property(tries = 300)
  void nothingThatChangesStopsTheDevice(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 4) int depth, @ForAll Answers answers) {
    Scene scene = new Scene(seed >> 8, depth, answers);
    Random random = scene.random;
    scene.engine.tenants.forEach(SimulatedEngine.Tenant::floods);
    long[] error = {0};
    scene.engine.clockError = () -> error[0];
    SchedulingCore core = scene.core;
    for (int i = 1; i <= 60; i++) {
      change(scene);
      if (random.nextInt(10) == 0) {
        error[0] += random.nextLong(2_000 * MS) - 1_000 * MS;
      }
      scene.engine.run(scene.engine.now() + random.nextLong(20 * MS));
      for (int g = 0; g <= 5; g++) {
        assertTrue(core.readings().groupServedNs(g) >= 0);
        // what was in flight comes back: an estimate, at first a millisecond, each
        long most = core.readings().groupServedNs(g) + depth * (scene.most + MS);
        assertTrue(core.readings().groupBudgetNs(g) <= most);
      }
    }
    core.setPolicy(SchedulingPolicy.GUARANTEED);
    for (int g = 0; g <= 5; g++) {
      core.setGroup(g, g == 0 ? -1 : 0, 0, 0, 0, 0, 100);
    }
    for (SimulatedEngine.Tenant tenant : scene.engine.tenants) {
      core.setContext(tenant.context, 5, 1, 0, 0);
    }
    scene.engine.run(scene.engine.now() + 50 * MS);
    long before = scene.engine.busyNs;
    scene.engine.tenants.forEach(t -> t.ended = 0);
    scene.engine.run(scene.engine.now() + 2_000 * MS);
    assertTrue(scene.engine.busyNs - before >= 1_990 * MS, "the device is busy");
    scene.engine.tenants.forEach(t -> assertTrue(t.ended > 0, t.context + " is served"));
    assertEquals(scene.engine.busyNs, core.readings().groupGivenNs(0), "all is accounted for");
  }

  private static void change(Scene scene) {
    Random random = scene.random;
    SchedulingCore core = scene.core;
    int g = random.nextInt(5);
    long period = (1 + random.nextInt(50)) * MS;
    long quota = random.nextBoolean() ? 0 : Math.max(1000, period * random.nextInt(100) / 100);
    long max = random.nextInt(3) > 0 ? 0 : Math.max(1000, period * random.nextInt(100) / 100);
    var tenant = scene.engine.tenants.get(random.nextInt(scene.engine.tenants.size()));
    switch (random.nextInt(6)) {
      case 0, 1 ->
          core.setGroup(
              g,
              g == 0 ? -1 : random.nextInt(g),
              g == 0 ? 0 : quota,
              period,
              max,
              period,
              1 + random.nextInt(10_000));
      case 2 ->
          core.setContext(tenant.context, random.nextInt(6), random.nextInt(4), quota, period);
      case 3 -> core.setPolicy(SchedulingPolicy.values()[random.nextInt(3)]);
      case 4 -> {
        tenant.stops();
        if (random.nextBoolean()) {
          tenant.floods();
        } else {
          tenant.synchronous(random.nextLong(MS));
        }
      }
      default -> {
        core.setGroup(9, 5, quota, period, 0, 0, 100);
        core.removeGroup(9);
      }
    }
  }
}
