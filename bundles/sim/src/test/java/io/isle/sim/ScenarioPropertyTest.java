package io.isle.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What tenants were promised, of the agent and the scheduler as they run live. */
class ScenarioPropertyTest {
  private static final long MS = 1_000_000;
  private static final int GROUPS = 256;

  /** Limits, work that fails, and a clock that jumps: whoever asks for its promise gets it. */
  @Property(tries = 60)
  void everyAdmittedGuaranteeIsMetAndNoMore(@ForAll long seed) {
    RandomScenario scene = new RandomScenario(seed, 2_000, seed % 2 == 0, false);
    scene.promise(1 + scene.random.nextInt(4));
    for (int g = 0; g < scene.promises.size(); g++) {
      String urgency = scene.urgency();
      for (int i = 0; i <= scene.random.nextInt(2); i++) {
        scene.tenant("t" + g + i, "p" + g, urgency, "flood");
      }
    }
    String highest = "background";
    for (int i = 0; i < 3; i++) {
      String priority = scene.priority();
      highest = RandomScenario.compare(priority, highest) > 0 ? priority : highest;
      scene.tenant("f" + i, "default", priority, "flood");
    }
    if (scene.random.nextBoolean()) {
      // back: a clock that goes forward is time in which nothing was asked for
      scene.event(scene.random.nextInt(2_000), "jump: -" + scene.random.nextInt(3_000) + "ms");
    }
    Simulation simulation = scene.simulation();
    simulation.begin();
    long quotas = scene.promises.stream().mapToLong(promise -> 1000 * promise[0]).sum();
    for (long time = 20 * MS; time <= 2_000 * MS; time += 20 * MS) {
      simulation.runTo(time);
      for (int g = 0; g < scene.promises.size(); g++) {
        long quotaNs = scene.promises.get(g)[0] * 1000;
        long due = (long) ((double) time * scene.promises.get(g)[0] / scene.promises.get(g)[1]);
        long given = RandomScenario.givenNs(simulation, "p" + g);
        String what = "p" + g + " at " + time + ": " + given + " of " + due + "\n" + scene.text();
        // those of higher priority may take theirs at the end of a period and again at once
        long first = 2 * (quotas - quotaNs);
        assertTrue(given >= due - quotaNs - first - scene.granularityNs(), what);
        assertTrue(given <= due + quotaNs + scene.granularityNs(), what);
      }
    }
    for (TenantRun tenant : simulation.tenants()) {
      boolean promised = !tenant.spec().group().equals("default");
      if (promised || tenant.priority().orElseThrow().text().equals(highest)) {
        assertTrue(tenant.completed > 0, () -> tenant.spec().name() + " starves: " + scene.text());
      }
    }
  }

  /** A promise that changes is met from the change on. */
  @Property(tries = 40)
  void aPromiseThatChangesIsMetFromThenOn(@ForAll long seed) {
    RandomScenario scene = new RandomScenario(seed, 2_000, false, false);
    scene.promise(2);
    scene.tenant("a", "p0", scene.urgency(), "flood");
    scene.tenant("b", "p1", scene.urgency(), scene.workload());
    scene.tenant("c", "default", scene.priority(), "flood");
    scene.tenant("d", "default", scene.priority(), "flood");
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
      // and the other one may have the higher priority
      long first = 2 * 1000 * scene.promises.get(1)[0];
      assertTrue(given >= due - slack - first, () -> given + " of " + due + "\n" + scene.text());
      assertTrue(given <= due + slack, () -> given + " of " + due + "\n" + scene.text());
    }
  }

  /** A group below a ceiling that asks for all of it, beside others of its priority or below. */
  private static final class Limited {
    final RandomScenario scene;
    final long periodNs;
    final long quotaNs;

    /** What the others leave while it is not at its ceiling. */
    final double part;

    /**
     * @param alike whether its contexts have one priority, and the flooder's work no limit that it
     *     is beyond: else work of its own takes others off the device, or is stopped, and what runs
     *     of such a context has to end before more of it begins
     */
    Limited(long seed, boolean alike) {
      scene = new RandomScenario(seed, 1_500, false, true);
      long period = (5 + scene.random.nextInt(95)) * 1000L;
      long quota = Math.max(1000, period * (1 + scene.random.nextInt(90)) / 100);
      periodNs = period * 1000;
      quotaNs = quota * 1000;
      scene.group("low", "compute.max: " + RandomScenario.time(quota, period));
      if (alike) {
        scene.flooder("l0", "low", "normal");
      } else {
        scene.tenant("l0", "low", "normal", "flood");
      }
      for (int i = 1; i <= scene.random.nextInt(3); i++) {
        String priority = alike ? "normal" : scene.priority();
        scene.tenant("l" + i, "low", priority, scene.workload());
      }
      boolean behind = scene.random.nextBoolean();
      scene.tenant("o", "default", behind ? "background" : "normal", scene.workload());
      part = behind ? 1 : 0.5;
    }
  }

  /** A ceiling is passed by no more than what was on the device. */
  @Property(tries = 60)
  void noCeilingIsPassedByMoreThanTheGranularity(@ForAll long seed) {
    Limited limited = new Limited(seed, false);
    RandomScenario scene = limited.scene;
    Simulation simulation = scene.simulation();
    simulation.begin();
    for (long time = 10 * MS; time <= 1_500 * MS; time += 10 * MS) {
      simulation.runTo(time);
      long given = RandomScenario.givenNs(simulation, "low");
      long due = (long) ((double) time * limited.quotaNs / limited.periodNs);
      long most = due + limited.quotaNs + scene.granularityNs();
      long at = time;
      assertTrue(given <= most, () -> given + " of " + most + " at " + at + "\n" + scene.text());
    }
  }

  /**
   * Whoever asks for all of it is at its ceiling, or has its part by weight of the device, but for
   * what the others had there before: nothing else keeps it from what it may use. So a ceiling
   * within that part is used up in each of its periods.
   */
  @Property(tries = 120)
  void aCeilingIsUsedUpButForWhatOthersHaveByWeight(@ForAll long seed) {
    Limited limited = new Limited(seed, true);
    RandomScenario scene = limited.scene;
    ByteArrayOutputStream events = new ByteArrayOutputStream();
    Simulation simulation =
        new Simulation(
            scene.parse(),
            new EventLog(new PrintStream(events, true, StandardCharsets.UTF_8), true));
    TenantRun flooder = simulation.tenants().getFirst();
    // what runs for who comes after it ends first; of equals, all that is there, and then in turn
    long before = scene.mostUs * 1000 * (limited.part == 1 ? 1 : scene.depth / 2 + 2);
    long[] since = {0, 0};
    boolean[] was = {false};
    simulation.onSettled(
        device -> {
          long now = simulation.time().nowNs();
          long given = RandomScenario.givenNs(simulation, "low");
          boolean is = isThrottled(device, flooder);
          // by what is charged in advance, also for no time: what was withdrawn pays for more
          boolean touched = events.toString(StandardCharsets.UTF_8).contains("throttle");
          events.reset();
          if (is || was[0] || touched) {
            since[0] = now;
            since[1] = given;
          }
          was[0] = is;
          long due = (long) (limited.part * (now - since[0])) - before;
          assertTrue(
              given - since[1] >= due,
              () -> (given - since[1]) + " since " + since[0] + " at " + now + "\n" + scene.text());
        });
    simulation.begin();
    long periods = 1_500 * MS / limited.periodNs;
    simulation.runTo(periods * limited.periodNs - 1);
    if (limited.quotaNs + scene.granularityNs() <= limited.part * limited.periodNs) {
      long given = RandomScenario.givenNs(simulation, "low");
      // some of what was charged in advance has not run yet
      long due = periods * limited.quotaNs - scene.granularityNs();
      assertTrue(given >= due, () -> given + " of " + due + "\n" + scene.text());
    }
  }

  /**
   * Contexts and groups come and go, promises and weights change, devices crash, work fails, clocks
   * jump: no engine rests while something could run, submissions of a context begin in order, and
   * each ends once. The last two are checked by the simulation itself.
   */
  @Property(tries = 80)
  void nothingThatChangesStopsTheDeviceOrLosesWork(@ForAll long seed) {
    RandomScenario scene = changing(seed);
    Simulation simulation = scene.simulation();
    long[] wakes = {0};
    simulation.onSettled(
        device -> {
          wakes[0]++;
          if (device.isResting()) {
            for (TenantRun tenant : simulation.tenants()) {
              boolean throttled = tenant.isOpen() && isThrottled(device, tenant);
              assertTrue(
                  tenant.unended() == 0 || throttled,
                  () ->
                      "the device rests, and " + tenant.spec().name() + " waits\n" + scene.text());
            }
          }
          for (TenantRun tenant : device.open()) {
            assertFalse(
                device.hasFreeEngine()
                    && device.plane().isStartable(tenant.index())
                    && !isThrottled(device, tenant),
                () -> "an engine rests, and " + tenant.spec().name() + " waits\n" + scene.text());
          }
        });
    simulation.run();
    // 20 us apart at most times, and not over and over with nothing to do
    assertTrue(wakes[0] < 60_000, () -> wakes[0] + " cycles\n" + scene.text());
    for (TenantRun tenant : simulation.tenants()) {
      assertEquals(tenant.submitted, tenant.completed + tenant.failed + tenant.unended());
    }
  }

  /** By a ceiling of its group, or of one above. */
  private static boolean isThrottled(DeviceRun device, TenantRun tenant) {
    return device.plane().scheduler().readings().isThrottled(group(device, tenant));
  }

  private static int group(DeviceRun device, TenantRun tenant) {
    for (int g = 0; g < GROUPS; g++) {
      if (device.plane().groupName(g).equals(Optional.of(tenant.spec().group()))) {
        return g;
      }
    }
    throw new IllegalStateException(tenant.spec().group() + " is no group of the device");
  }

  private static RandomScenario changing(long seed) {
    RandomScenario scene = new RandomScenario(seed, 600, true, true);
    Random random = scene.random;
    scene.promise(1 + random.nextInt(3));
    scene.group("w", "compute.weight: " + (1 + random.nextInt(1_000)));
    int promised = scene.promises.size();
    long[] whole = scene.promises.getFirst();
    scene.group(
        "q",
        "parent: p0, compute.guarantee: "
            + RandomScenario.time(Math.max(1000, whole[0] / 2), whole[1]));
    List<String> others = List.of("q", "w", "default");
    for (int i = 0; i < 2 + random.nextInt(6); i++) {
      int g = random.nextInt(promised + others.size());
      String group = g < promised ? "p" + g : others.get(g - promised);
      String priority = g <= promised ? scene.urgency() : scene.priority();
      scene.tenant("c" + i, group, priority, scene.workload());
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
            String ceiling = RandomScenario.time(1000L * (1 + random.nextInt(9)), 10_000);
            String key = random.nextBoolean() ? "compute.max: " + ceiling : "compute.weight: 7";
            scene.event(at, "group: w, set: {" + key + "}");
          }
        }
        case 3 -> {
          if (promised > 1) {
            // the first one has another below that has a part of its promise
            int g = 1 + random.nextInt(promised - 1);
            scene.event(at, "group: p" + g + ", unset: [compute.guarantee]");
          }
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
    RandomScenario scene = new RandomScenario(seed, 3_000, false, false);
    scene.policy("guaranteed");
    scene.promise(scene.random.nextInt(3));
    for (int g = 0; g < scene.promises.size(); g++) {
      scene.tenant("p" + g, "p" + g, scene.urgency(), "flood");
    }
    int equals = 2 + scene.random.nextInt(4);
    String priority = scene.priority();
    for (int i = 0; i < equals; i++) {
      scene.tenant("e" + i, "default", priority, "flood");
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
