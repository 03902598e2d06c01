package io.isle.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What tenants were promised, of the agent and the scheduler as they run live. */
class ScenarioPropertyTest {
  private static final long MS = 1_000_000;

  /** Limits, work that fails, and a clock that jumps: whoever asks for its promise gets it. */
  @Property(tries = 60)
  void everyAdmittedGuaranteeIsMetAndNoMore(@ForAll long seed) {
    RandomScenario scene = new RandomScenario(seed, 2_000, seed % 2 == 0);
    scene.promise(1 + scene.random.nextInt(4));
    for (int g = 0; g < scene.promises.size(); g++) {
      for (int i = 0; i <= scene.random.nextInt(2); i++) {
        scene.tenant("t" + g + i, "p" + g, "flood");
      }
    }
    for (int i = 0; i < 3; i++) {
      scene.tenant("f" + i, "default", "flood");
    }
    if (scene.random.nextBoolean()) {
      // back: a clock that goes forward is time in which nothing was asked for
      scene.event(scene.random.nextInt(2_000), "jump: -" + scene.random.nextInt(3_000) + "ms");
    }
    Simulation simulation = scene.simulation();
    simulation.begin();
    for (long time = 20 * MS; time <= 2_000 * MS; time += 20 * MS) {
      simulation.runTo(time);
      for (int g = 0; g < scene.promises.size(); g++) {
        long quotaNs = scene.promises.get(g)[0] * 1000;
        long due = (long) ((double) time * scene.promises.get(g)[0] / scene.promises.get(g)[1]);
        long given = RandomScenario.givenNs(simulation, "p" + g);
        long slack = quotaNs + scene.granularityNs();
        String what = "p" + g + " at " + time + ": " + given + " of " + due + "\n" + scene.text();
        assertTrue(given >= due - slack, what);
        assertTrue(given <= due + slack, what);
      }
    }
    for (TenantRun tenant : simulation.tenants()) {
      assertTrue(tenant.completed > 0, () -> tenant.spec().name() + " starves: " + scene.text());
    }
  }

  /** A promise that changes is met from the change on. */
  @Property(tries = 40)
  void aPromiseThatChangesIsMetFromThenOn(@ForAll long seed) {
    RandomScenario scene = new RandomScenario(seed, 2_000, false);
    scene.promise(2);
    scene.tenant("a", "p0", "flood");
    scene.tenant("b", "p1", scene.workload());
    scene.tenant("c", "default", "flood");
    scene.tenant("d", "default", "flood");
    long changeMs = 300L + scene.random.nextInt(1_000);
    long period = scene.promises.get(0)[1];
    long most = period - scene.promises.get(1)[0] * period / scene.promises.get(1)[1] - 1;
    long quota = Math.clamp(1000 + scene.random.nextLong(period), 1000, Math.max(1000, most));
    scene.event(
        changeMs,
        "group: p0, set: {compute.guarantee: "
            + RandomScenario.DEVICE
            + " "
            + quota
            + " "
            + period
            + "}");
    Simulation simulation = scene.simulation();
    simulation.begin();
    simulation.runTo(changeMs * MS);
    long before = RandomScenario.givenNs(simulation, "p0");
    for (long time = changeMs * MS; time <= 2_000 * MS; time += 50 * MS) {
      simulation.runTo(time);
      long given = RandomScenario.givenNs(simulation, "p0") - before;
      long due = (long) ((double) (time - changeMs * MS) * quota / period);
      // what was used of the period stays used
      long slack = (quota + scene.promises.get(0)[0]) * 1000 + scene.granularityNs();
      assertTrue(given >= due - slack, () -> given + " of " + due + "\n" + scene.text());
      assertTrue(given <= due + slack, () -> given + " of " + due + "\n" + scene.text());
    }
  }

  /** A ceiling is passed by no more than what was on the device. */
  @Property(tries = 60)
  void noCeilingIsPassedByMoreThanTheGranularity(@ForAll long seed) {
    RandomScenario scene = new RandomScenario(seed, 1_500, false);
    long period = (5 + scene.random.nextInt(95)) * 1000L;
    long quota = Math.max(1000, period * (1 + scene.random.nextInt(90)) / 100);
    scene.group("low", "compute.max: " + RandomScenario.DEVICE + " " + quota + " " + period);
    for (int i = 0; i <= scene.random.nextInt(3); i++) {
      scene.tenant("l" + i, "low", i == 0 ? "flood" : scene.workload());
    }
    scene.tenant("o", "default", scene.workload());
    Simulation simulation = scene.simulation();
    simulation.begin();
    for (long time = 10 * MS; time <= 1_500 * MS; time += 10 * MS) {
      simulation.runTo(time);
      long given = RandomScenario.givenNs(simulation, "low");
      long most = (long) ((double) time * quota / period) + quota * 1000 + scene.granularityNs();
      long at = time;
      assertTrue(given <= most, () -> given + " of " + most + " at " + at + "\n" + scene.text());
    }
    // and it is used: the flooder asks for all of it, where that is less than its part by weight
    if (quota * 2 < period) {
      long due = (long) (1_500.0 * MS * quota / period) - quota * 1000 - scene.granularityNs();
      long given = RandomScenario.givenNs(simulation, "low");
      assertTrue(given >= due, () -> given + " of " + due + "\n" + scene.text());
    }
  }

  /**
   * Contexts and groups come and go, promises and weights change, devices crash, work fails, clocks
   * jump: the device never rests while something could run, submissions of a context begin in
   * order, and each ends once. The last two are checked by the simulation itself.
   */
  @Property(tries = 80)
  void nothingThatChangesStopsTheDeviceOrLosesWork(@ForAll long seed) {
    RandomScenario scene = changing(seed);
    Simulation simulation = scene.simulation();
    long[] wakes = {0};
    simulation.onSettled(
        place -> {
          wakes[0]++;
          if (place.isResting()) {
            for (TenantRun tenant : simulation.tenants()) {
              assertEquals(
                  0,
                  tenant.unended(),
                  () ->
                      "the device rests, and " + tenant.spec().name() + " waits\n" + scene.text());
            }
          }
        });
    simulation.run();
    // 20 us apart at most times, and not over and over with nothing to do
    assertTrue(wakes[0] < 60_000, () -> wakes[0] + " cycles\n" + scene.text());
    for (TenantRun tenant : simulation.tenants()) {
      assertEquals(tenant.submitted, tenant.completed + tenant.failed + tenant.unended());
    }
  }

  private static RandomScenario changing(long seed) {
    RandomScenario scene = new RandomScenario(seed, 600, true);
    Random random = scene.random;
    scene.promise(1 + random.nextInt(3));
    scene.group("w", "compute.weight: " + (1 + random.nextInt(1_000)));
    int promised = scene.promises.size();
    for (int i = 0; i < 2 + random.nextInt(6); i++) {
      int g = random.nextInt(promised + 2);
      String group = g < promised ? "p" + g : g == promised ? "w" : "default";
      scene.tenant("c" + i, group, scene.workload());
    }
    long at = 0;
    boolean lost = false;
    boolean removed = false;
    boolean[] closed = new boolean[scene.names().size()];
    for (int i = 0; i < 25; i++) {
      at += 1 + random.nextInt(30);
      int c = random.nextInt(closed.length);
      switch (random.nextInt(7)) {
        case 0 -> {
          scene.event(at, (lost ? "recover: " : "lose: ") + RandomScenario.DEVICE);
          lost = !lost;
        }
        case 1 -> scene.event(at, "jump: " + (random.nextInt(4_000) - 2_000) + "ms");
        case 2 -> {
          if (!removed) {
            scene.event(at, "group: w, set: {compute.weight: " + (1 + random.nextInt(99)) + "}");
          }
        }
        case 3 -> {
          int g = random.nextInt(promised);
          scene.event(at, "group: p" + g + ", unset: [compute.guarantee]");
        }
        case 4 -> {
          if (!closed[c]) {
            scene.event(at, "close: c" + c);
            closed[c] = true;
          }
        }
        case 5 -> {
          if (!removed && random.nextInt(4) == 0) {
            scene.event(at, "remove: w");
            removed = true;
          }
        }
        default -> scene.event(at, "group: g" + i + ", set: {parent: p0, compute.weight: 7}");
      }
    }
    return scene;
  }

  /** Everything comes again, byte by byte. */
  @Property(tries = 30)
  void theSameFileGivesTheSameOutput(@ForAll long seed) {
    RandomScenario scene = changing(seed);
    String first = output(scene.parse());
    assertEquals(first, output(scene.parse()));
    assertTrue(first.length() > 1_000);
  }

  private static String output(Scenario scenario) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8);
    Simulation simulation = new Simulation(scenario, new EventLog(out, true));
    simulation.run();
    Report report = new Report(simulation);
    report.json(out);
    report.print(out);
    out.flush();
    return bytes.toString(StandardCharsets.UTF_8);
  }

  /** Equals that flood wait for each other only. */
  @Property(tries = 40)
  void nobodyStarvesWithinAPriority(@ForAll long seed) {
    RandomScenario scene = new RandomScenario(seed, 3_000, false);
    scene.policy("guaranteed");
    scene.promise(scene.random.nextInt(3));
    for (int g = 0; g < scene.promises.size(); g++) {
      scene.tenant("p" + g, "p" + g, "flood");
    }
    int equals = 2 + scene.random.nextInt(4);
    for (int i = 0; i < equals; i++) {
      scene.tenant("e" + i, "default", "flood");
    }
    Simulation simulation = scene.simulation();
    simulation.run();
    // they have 5 % at least, in turn, behind the longest budgets of others
    long budgets = scene.promises.stream().mapToLong(p -> p[0] * 1000).sum();
    long[] ran =
        simulation.tenants().stream()
            .filter(tenant -> tenant.spec().group().equals("default"))
            .mapToLong(tenant -> tenant.ranNs)
            .sorted()
            .toArray();
    long apart = ran[ran.length - 1] - ran[0];
    assertTrue(
        apart <= 4 * scene.granularityNs(),
        () -> "equals are " + apart + " apart\n" + scene.text());
    for (TenantRun tenant : simulation.tenants()) {
      if (tenant.spec().group().equals("default")) {
        long queue = tenant.spec().queue();
        long bound = queue * (20 * (equals + 2) * scene.mostUs * 1000) + 20 * budgets;
        assertTrue(
            tenant.waits.max() <= bound,
            () -> tenant.spec().name() + " " + tenant.waits.max() + "\n" + scene.text());
      }
    }
  }
}
