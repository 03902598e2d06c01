package io.isle.sim;

import static io.isle.sim.Scenes.FLOOD;
import static io.isle.sim.Scenes.MS;
import static io.isle.sim.Scenes.alone;
import static io.isle.sim.Scenes.run;
import static io.isle.sim.Scenes.tenant;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.device.Priority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each key that a file may have does what the page says; one without a test fails here. */
class ScenarioKeysTest {
  private static final Path PAGE = Path.of("..", "..", "docs", "simulator.md");

  static List<String> keys() {
    return Scenes.allowed("none: 1");
  }

  private static List<String> inContext(String context) {
    return Scenes.allowed("devices: {sim0: {}}\ncontexts: {a: {" + context + "}}");
  }

  static List<String> keysOfContexts() {
    return inContext("none: 1");
  }

  static List<String> keysOfWorkloads() {
    return inContext("workload: {none: 1}");
  }

  static List<String> keysOfTimes() {
    return inContext("workload: flood, service: {none: 1}");
  }

  static List<String> keysOfEvents() {
    return Scenes.allowed(
        "duration: 1s\ndevices: {sim0: {}}\ncontexts: {}\nevents: [{at: 1ms, none: 1}]");
  }

  @Test
  void thePageHasThemAll() throws IOException {
    String page = Files.readString(PAGE);
    List<String> all = new ArrayList<>(keys());
    all.addAll(DeviceKeysTest.keys());
    all.addAll(keysOfContexts());
    all.addAll(keysOfWorkloads());
    all.addAll(keysOfTimes());
    all.addAll(keysOfEvents());
    for (String key : all) {
      assertTrue(page.contains("`" + key + "`") || page.contains(key + ": "), key);
    }
  }

  @ParameterizedTest
  @MethodSource("keys")
  void ofTheFile(String key) {
    String text =
        """
        seed: %d
        duration: %s
        devices: {sim0: {}}
        groups: {g: {compute.max: sim0 2000 10000}}
        contexts: {a: {group: g, workload: {closed: 1}, service: {exponential: 1ms}}}
        events: [{at: 500ms, close: a}]
        """;
    TenantRun tenant = tenant(run(text.formatted(1, "1s")), "a");
    switch (key) {
      case "seed" -> assertNotEquals(tenant.ranNs, tenant(run(text.formatted(2, "1s")), "a").ranNs);
      case "duration" -> {
        String brief = text.formatted(1, "100ms").replaceFirst("events.*", "");
        assertEquals(20 * MS, tenant(run(brief), "a").ranNs, 5 * MS);
      }
      case "devices", "contexts", "events", "groups" ->
          assertEquals(100 * MS, tenant.ranNs, 6 * MS);
      default -> throw new AssertionError(key + " is not tested");
    }
  }

  @ParameterizedTest
  @MethodSource("keysOfContexts")
  void ofAContext(String key) {
    String twice = "workload: {trace: [0ms, 0ms]}, service: 10ms";
    switch (key) {
      case "count" ->
          assertEquals(
              List.of("a-1", "a-2", "a-3"),
              run("", "a: {count: 3, " + FLOOD + "}", "").tenants().stream()
                  .map(tenant -> tenant.spec().name())
                  .toList());
      case "device" -> {
        Simulation simulation =
            run(
                "duration: 1s\ndevices: {sim0: {}, sim1: {}}\ncontexts: {a: {device: sim1, "
                    + FLOOD
                    + "}}");
        assertEquals(0, simulation.devices().getFirst().ranNs());
        assertEquals(1_000 * MS, simulation.devices().getLast().ranNs());
      }
      case "group" -> {
        String ceiling = "groups: {g: {compute.max: sim0 2000 10000}}";
        assertEquals(200 * MS, alone("", "group: g, " + FLOOD, ceiling).ranNs, 2 * MS);
      }
      case "priority" -> {
        for (Priority priority : Priority.values()) {
          String context = "guarantee: 1000, priority: " + priority.text() + ", " + FLOOD;
          assertEquals(priority, alone("", context, "").priority().orElseThrow());
        }
      }
      case "guarantee" -> {
        Simulation simulation =
            run(
                "",
                "a: {guarantee: 3000 10000, priority: background, "
                    + FLOOD
                    + "}, b: {priority: high, "
                    + FLOOD
                    + "}",
                "");
        assertEquals(300 * MS, tenant(simulation, "a").ranNs, 4 * MS);
      }
      case "queue" -> assertEquals(4, alone("", "queue: 4, " + FLOOD, "").unended());
      case "execution_limit" -> {
        TenantRun limited = alone("preemption: instruction", "execution_limit: 2ms, " + twice, "");
        assertEquals(2, limited.failed);
        assertEquals(4 * MS, limited.ranNs, 0.5 * MS);
      }
      case "keep_pending" -> {
        String crash = "events: [{at: 5ms, lose: sim0}, {at: 6ms, recover: sim0}]";
        assertEquals(1, alone("depth: 1", "keep_pending: true, " + twice, crash).completed);
        assertEquals(2, alone("depth: 1", "keep_pending: false, " + twice, crash).failed);
      }
      case "deadline" -> assertEquals(1, alone("", "deadline: 15ms, " + twice, "").misses);
      case "opens" -> assertEquals(100, alone("", "opens: 900ms, " + FLOOD, "").completed, 1);
      case "workload", "service" ->
          assertTrue(
              assertThrows(
                      SimException.class,
                      () ->
                          run("", "a: {" + FLOOD.replaceFirst(key + ": [a-z0-9]*,?", "") + "}", ""))
                  .getMessage()
                  .contains("the key '" + key + "' is missing"));
      default -> throw new AssertionError(key + " is not tested");
    }
  }

  private static TenantRun works(String workload, String service) {
    return alone("", "workload: " + workload + ", service: " + service, "");
  }

  @ParameterizedTest
  @MethodSource("keysOfWorkloads")
  void ofAWorkload(String key) {
    switch (key) {
      case "closed" -> assertEquals(3, works("{closed: 3}", "10ms").unended());
      case "think" -> assertEquals(50, works("{closed: 1, think: 10ms}", "10ms").completed, 1);
      case "periodic" -> assertEquals(100, works("{periodic: 10ms}", "1ms").completed, 1);
      case "phase" -> assertEquals(10, works("{periodic: 100ms, phase: 50ms}", "1ms").submitted);
      case "burst" ->
          assertEquals(30, works("{periodic: 100ms, phase: 50ms, burst: 3}", "1ms").submitted);
      case "jitter" -> {
        String beside =
            "b: {workload: {periodic: 10ms}, service: 4ms}, a: {workload: {%s}, service: 1ms}";
        Simulation sharp = run("", beside.formatted("periodic: 10ms"), "");
        assertEquals(4 * MS, tenant(sharp, "a").waits.percentile(0.1), 0.1 * MS);
        Simulation late = run("", beside.formatted("periodic: 10ms, jitter: 5ms"), "");
        assertTrue(tenant(late, "a").waits.percentile(0.1) < tenant(late, "a").waits.max() / 2);
      }
      case "poisson" -> assertEquals(200, works("{poisson: 5ms}", "1ms").submitted, 60);
      case "trace" -> assertEquals(3, works("{trace: [0ms, 1ms, 40ms]}", "1ms").completed);
      default -> throw new AssertionError(key + " is not tested");
    }
  }

  @ParameterizedTest
  @MethodSource("keysOfTimes")
  void ofATime(String key) {
    String many = "{trace: [" + String.join(", ", Collections.nCopies(300, "0ms")) + "]}";
    switch (key) {
      case "uniform" -> assertEquals(600 * MS, works(many, "{uniform: [1ms, 3ms]}").ranNs, 60 * MS);
      case "exponential" -> {
        TenantRun random = works(many, "{exponential: 2ms}");
        assertEquals(300, random.completed);
        assertEquals(600 * MS, random.ranNs, 100 * MS);
      }
      case "list" -> assertEquals(900 * MS, works(many, "{list: [1ms, 1ms, 7ms]}").ranNs);
      default -> throw new AssertionError(key + " is not tested");
    }
  }

  @ParameterizedTest
  @MethodSource("keysOfEvents")
  void ofAnEvent(String key) {
    String ceiling = "groups: {g: {compute.max: sim0 2000 10000}}\n";
    String open = "groups: {g: {}}\n";
    String inGroup = "group: g, " + FLOOD;
    switch (key) {
      case "at", "group", "set" -> {
        String set = "events: [{at: 500ms, group: g, set: {compute.max: sim0 2000 10000}}]";
        assertEquals(600 * MS, alone("", inGroup, open + set).ranNs, 4 * MS);
      }
      case "unset" -> {
        String unset = "events: [{at: 500ms, group: g, unset: [compute.max]}]";
        assertEquals(600 * MS, alone("", inGroup, ceiling + unset).ranNs, 4 * MS);
      }
      case "remove" ->
          assertEquals(
              500 * MS,
              alone("depth: 1", inGroup, open + "events: [{at: 500ms, remove: g}]").ranNs,
              MS);
      case "open", "close" ->
          assertEquals(
              600 * MS,
              alone("depth: 1", FLOOD, "events: [{at: 200ms, close: a}, {at: 600ms, open: a}]")
                  .ranNs,
              2 * MS);
      case "lose", "recover" ->
          assertEquals(
              600 * MS,
              alone("", FLOOD, "events: [{at: 200ms, lose: sim0}, {at: 600ms, recover: sim0}]")
                  .ranNs,
              2 * MS);
      case "jump" -> {
        // what is left of the period passes with it, whichever way it goes nothing is lost
        String back = ceiling + "events: [{at: 502ms, jump: -3600s}]";
        assertEquals(200 * MS, alone("", inGroup, back).ranNs, 3 * MS);
        String forth = ceiling + "events: [{at: 502ms, jump: 10s}]";
        assertEquals(200 * MS, alone("", inGroup, forth).ranNs, 5 * MS);
      }
      default -> throw new AssertionError(key + " is not tested");
    }
  }
}
