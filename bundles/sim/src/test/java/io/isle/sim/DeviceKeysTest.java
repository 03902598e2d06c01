package io.isle.sim;

import static io.isle.sim.Scenes.FLOOD;
import static io.isle.sim.Scenes.MS;
import static io.isle.sim.Scenes.alone;
import static io.isle.sim.Scenes.run;
import static io.isle.sim.Scenes.tenant;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.driver.DeviceInfo;
import io.isle.core.accel.sched.Journal;
import io.isle.core.accel.sched.SchedulingPolicy;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each key of a device does what the page says; one without a test fails here. */
class DeviceKeysTest {
  static List<String> keys() {
    return Scenes.allowed("devices: {sim0: {none: 1}}");
  }

  private static String report(String device, String contexts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new Report(run(device, contexts, "")).json(new PrintStream(out, true, StandardCharsets.UTF_8));
    return out.toString(StandardCharsets.UTF_8);
  }

  private static final String LONG_AND_URGENT =
      "long: {workload: {trace: [0ms]}, service: 50ms},"
          + " urgent: {priority: high, workload: {trace: [5ms]}, service: 1ms}";

  private static TenantRun urgent(String device) {
    return tenant(run("depth: 1, " + device, LONG_AND_URGENT, ""), "urgent");
  }

  @ParameterizedTest
  @MethodSource("keys")
  void eachActs(String key) {
    String two = "a: {workload: {trace: [0ms]}, service: 10ms}, b: {%s, service: 10ms}";
    String both = two.formatted("workload: {trace: [0ms]}");
    switch (key) {
      case "units" -> {
        String report = report("units: 4", both);
        assertTrue(report.contains("\"compute_units\":4"), report);
      }
      case "parallel" -> {
        Simulation wide = run("units: 2, parallel: 2", both, "");
        assertEquals(10 * MS, tenant(wide, "b").latencies.max());
        assertEquals(20 * MS, tenant(run("units: 2", both, ""), "b").latencies.max());
      }
      case "preemption" -> {
        for (DeviceInfo.Preemption granularity : DeviceInfo.Preemption.values()) {
          String name = granularity.name().toLowerCase(Locale.ROOT);
          long waited = urgent("preemption: " + name).waits.max();
          switch (granularity) {
            case NONE, COMMAND_BUFFER -> assertEquals(45 * MS, waited, name);
            case DRAW_DISPATCH, INSTRUCTION -> assertTrue(waited <= MS / 5, name + " " + waited);
          }
        }
      }
      case "check_interval" ->
          assertEquals(
              15 * MS,
              urgent("preemption: instruction, check_interval: 20ms").waits.max(),
              0.1 * MS);
      case "preemption_latency" -> {
        long waited = urgent("preemption: instruction, preemption_latency: 3ms").waits.max();
        assertEquals(3 * MS, waited, 0.2 * MS);
      }
      case "resume" -> {
        Simulation kept = run("depth: 1, preemption: instruction", LONG_AND_URGENT, "");
        assertEquals(1, tenant(kept, "long").completed);
        Simulation lost =
            run("depth: 1, preemption: instruction, resume: false", LONG_AND_URGENT, "");
        assertEquals(1, tenant(lost, "long").failed);
      }
      case "depth" -> {
        String turns =
            "a: {workload: {trace: [0ms, 0ms, 0ms]}, service: 10ms},"
                + " b: {workload: {trace: [1ms]}, service: 10ms}";
        assertEquals(9 * MS, tenant(run("depth: 1", turns, ""), "b").waits.max());
        assertEquals(29 * MS, tenant(run("depth: 3", turns, ""), "b").waits.max());
      }
      case "policy" -> {
        for (SchedulingPolicy policy : SchedulingPolicy.values()) {
          String name = policy.name().toLowerCase(Locale.ROOT);
          TenantRun low =
              tenant(
                  run(
                      "policy: " + name,
                      "low: {group: g, priority: background, "
                          + FLOOD
                          + "}, high: {priority: high, "
                          + FLOOD
                          + "}",
                      "groups: {g: {compute.guarantee: sim0 3000 10000}}"),
                  "low");
          long given =
              switch (policy) {
                case ROUND_ROBIN -> 500 * MS;
                case PRIORITY -> 0;
                case GUARANTEED -> 300 * MS;
              };
          assertEquals(given, low.ranNs, 4 * MS, name);
        }
      }
      case "stall" -> {
        TenantRun slow = alone("stall: 10ms", "workload: {trace: [0ms]}, service: 10ms", "");
        assertEquals(20 * MS, slow.latencies.max());
      }
      case "failures" -> {
        TenantRun failing = alone("failures: 1", FLOOD, "");
        assertEquals(0, failing.completed);
        assertTrue(failing.failed > 1_000, "" + failing.failed);
      }
      default -> throw new AssertionError(key + " is not tested");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aPolicyHasTheNameThatTheReportShows(SchedulingPolicy policy) {
    String name = policy.name().toLowerCase(Locale.ROOT);
    String report = report("policy: " + name, "a: {" + FLOOD + "}");
    assertTrue(report.contains("\"policy\":\"" + name + "\""), report);
  }

  /** All that a scheduler tells has a name, and happens. */
  @Test
  void everyEventOfASchedulerIsShown() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    EventLog log = new EventLog(new PrintStream(out, true, StandardCharsets.UTF_8), true);
    String text =
        Scenes.second(
            "depth: 1",
            "a: {group: g, keep_pending: true, "
                + FLOOD
                + "}, b: {workload: {periodic: 20ms}, service: 1ms}",
            "events: [{at: 100ms, group: g, set: {compute.guarantee: sim0 2000 10000, compute.max:"
                + " sim0 4000 10000}}, {at: 200ms, lose: sim0}, {at: 300ms, recover: sim0},"
                + " {at: 400ms, close: b}]\ngroups: {g: {}}");
    new Simulation(Scenes.parse(text), log).run();
    Set<String> shown = new TreeSet<>();
    Matcher event =
        Pattern.compile("\"event\":\"([a-z]+)\"").matcher(out.toString(StandardCharsets.UTF_8));
    while (event.find()) {
      shown.add(event.group(1));
    }
    Set<String> known = new TreeSet<>();
    for (Field kind : Journal.class.getDeclaredFields()) {
      known.add(kind.getName().toLowerCase(Locale.ROOT));
    }
    assertEquals(known, shown);
  }
}
