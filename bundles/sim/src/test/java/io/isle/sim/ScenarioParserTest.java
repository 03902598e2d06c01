package io.isle.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Everything in a file is understood, or refused where it stands. */
class ScenarioParserTest {
  private static final String GOOD =
      """
      seed: 3
      duration: 1.5s
      devices:
        sim0: {units: 4, parallel: 2, preemption: instruction, policy: guaranteed, depth: 3}
        sim1: {stall: {uniform: [0ms, 1ms]}}
      groups:
        team: {parent: default, compute.guarantee: sim0 500000, compute.weight: 200}
      contexts:
        a: {device: sim0, group: team, workload: flood, service: 2ms}
        b:
          device: sim0
          count: 2
          guarantee: 1000 10000
          workload: {periodic: 10ms, burst: 2}
          service: {exponential: 1ms}
      events:
        - {at: 500ms, group: team, set: {compute.guarantee: sim0 300000}, unset: [compute.weight]}
        - {at: 1s, close: a}
        - {at: 0s, jump: -2s}
      """;

  private static Scenario parse(String text) {
    return ScenarioParser.parse(ScenarioFile.parse("f.yml", text.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void whatAFileSays() {
    Scenario scenario = parse(GOOD);
    assertEquals(3, scenario.seed());
    assertEquals(1_500_000_000, scenario.durationNs());
    assertEquals(
        List.of("a", "b-1", "b-2"), scenario.tenants().stream().map(t -> t.name()).toList());
    Scenario.Tenant b = scenario.tenants().get(1);
    assertEquals(new Scenario.Arrivals.Periodic(10_000_000, 0, 2, 0), b.arrivals());
    assertEquals(10_000_000, b.deadlineNs(), "that of a periodic one is its period");
    assertEquals(1_000, b.guarantee().orElseThrow().quotaUs());
    assertEquals("default", b.group());
    assertEquals(0, scenario.steps().getFirst().atNs(), "events are in the order of time");
    assertEquals(2, scenario.devices().getFirst().parallel());
    assertEquals(new Scenario.Times.Constant(0), scenario.devices().getFirst().stall());
    assertEquals(new Scenario.Times.Uniform(0, 1_000_000), scenario.devices().get(1).stall());
  }

  /** Each replaces the first text by the second in a good file; the message has the third. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "seed: 3|speed: 3|f.yml:1:8: speed: unknown key; allowed here: seed, duration",
        "seed: 3|seed: x|f.yml:1:7: seed: 'x' is not a whole number",
        "duration: 1.5s|duration: 1500|duration: '1500' is not a time; write 500ns, 20us",
        "duration: 1.5s|duration: 1.5ns|is not a time",
        "duration: 1.5s|duration: 90000s|duration: 90000s is not within 1ns to 86400s",
        "units: 4|units: 0|f.yml:4:17: devices.sim0.units: 0 is not within 1 to 65536",
        "parallel: 2|parallel: 5|parallel: 5 is not within 1 to 4",
        "instruction|kernel|'kernel' is not one of none, command_buffer, draw_dispatch,"
            + " instruction",
        "policy: guaranteed|policy: fair|'fair' is not one of round_robin, priority, guaranteed",
        "sim1: {|SIM1: {|'SIM1' is not the id of a device",
        "sim0 500000,|sim0 5000000,|f.yml:7:46: groups.team.compute.guarantee: sim0: a quota of",
        "compute.weight: 200|compute.weight: 0|0 is not in 1..10000",
        "compute.weight: 200|compute.wait: 200|unknown key; allowed here: parent, devices",
        "parent: default|parent: nobody|no group 'nobody'",
        "workload: flood|workload: floods|'floods' is not flood",
        "workload: flood|workload: {closed: 1, burst: 2}|burst: cannot be combined with closed",
        "workload: flood, |''|the key 'workload' is missing",
        "workload: flood|workload: {trace: [2ms, 1ms]}|trace[1]: is smaller than the time before",
        "uniform: [0ms|uniform: [2ms|devices.sim1.stall.uniform[1]: 1ms is not within 2ms to",
        "service: 2ms}|service: 2ms, execution_limit: 1500ns}|execution_limit: 1500ns is not a"
            + " whole number of microseconds",
        "service: 2ms|service: {uniform: [2ms, 1ms]}|1ms is not within 2ms to 3600s",
        "service: 2ms|service: {list: [1ms], uniform: [1ms, 1ms]}|needs one of uniform",
        "device: sim0, group|device: sim7, group|no device 'sim7'; the devices are sim0, sim1",
        "device: sim0, group|group|the key 'device' is missing, which is needed with several",
        "guarantee: 1000 10000|guarantee: 100|a quota of 100 us is not in",
        "count: 2|count: 2000|count: 2000 is not within 1 to 1024",
        "count: 2|queue: 3|3 is not a power of two",
        "{at: 1s, close: a}|{at: 2s, close: a}|2s is not within 0ns to 1500ms",
        "{at: 1s, close: a}|{at: 1s, close: z}|no context 'z'",
        "{at: 1s, close: a}|{at: 1s}|needs one of group, remove",
        "{at: 1s, close: a}|{at: 1s, close: a, open: a}|needs one of group, remove",
        "{at: 1s, close: a}|{close: a}|the key 'at' is missing",
        "{at: 1s, close: a}|{at: 1s, close: a, set: {}}|set and unset need the key group",
        "unset: [compute.weight]|unset: [weight]|unknown key; allowed here: parent",
        "  a: {|  a/b: {|a name has 1 to 64 letters",
        "  a: {|  b-1: {|another context has the name 'b-1'",
        "contexts:|contexts: *c|f.yml:8:11: aliases (*name) are not supported",
      })
  void mistakesAreRefusedWhereTheyStand(String good, String bad, String message) {
    assertTrue(GOOD.contains(good), good);
    String text =
        GOOD.replaceFirst(
            java.util.regex.Pattern.quote(good),
            java.util.regex.Matcher.quoteReplacement(bad == null ? "" : bad));
    refused(text, message);
  }

  @Test
  void filesAreBounded() {
    refused("[".repeat(200_000), "f.yml:1:13: is nested deeper than 12 levels");
    refused("[" + "a,".repeat(100_000) + "]", "f.yml:1:200000: has more than 100000 values");
    refused("a".repeat((1 << 20) + 1), "f.yml:1:1: is longer than 1048576 bytes");
    refused("", "f.yml:1:1: is empty; a scenario needs devices and contexts");
    refused("a: b: c", "is not YAML: ");
    refused("a: " + "b".repeat(4097) + "\n" + GOOD, "f.yml:1:4: a: unknown key");
    refused(GOOD.replace("seed: 3", "seed: " + "3".repeat(4097)), "longer than 4096 characters");
    refused(GOOD.replace("sim1:", "sim0:"), "f.yml:5:3: devices.sim0: is given twice");
    String[] many = new String[17];
    for (int i = 0; i < many.length; i++) {
      many[i] = "sim" + i + ": {}";
    }
    String devices = "duration: 1s\ndevices: {" + String.join(", ", many) + "}";
    refused(devices, "f.yml:2:10: devices: has 17 entries; the limit is 16");
    refused(GOOD.replace("[compute.weight]", "[]"), "unset: has 0 entries; 1 to ");
    refused(GOOD.replace("[0ms, 1ms]", "[0ms]"), "uniform: has 1 entries; 2 to 2 are allowed");
  }

  private static void refused(String text, String message) {
    SimException e = assertThrows(SimException.class, () -> parse(text));
    assertEquals(2, e.exit());
    assertTrue(e.getMessage().contains(message), e::getMessage);
    assertTrue(e.getMessage().startsWith("f.yml:"), e::getMessage);
  }

  @ParameterizedTest
  @CsvSource({"500ns,500", "20us,20000", "1.5ms,1500000", "-2s,-2000000000", "0s,0"})
  void times(String text, long ns) {
    assertEquals(ns, Durations.parse(text).orElseThrow());
  }

  @ParameterizedTest
  @CsvSource({"1", "1.5ns", "ms", "1 ms", "1m", "999999999999s"})
  void whatIsNoTime(String text) {
    assertTrue(Durations.parse(text).isEmpty(), text);
  }

  /** Whatever is in a file: a scenario, or a message. */
  @Property(tries = 500)
  void anythingIsRefusedInOrder(@ForAll long seed, @ForAll @IntRange(min = 1, max = 6) int bites) {
    byte[] bytes = GOOD.getBytes(StandardCharsets.UTF_8);
    Random random = new Random(seed);
    for (int i = 0; i < bites; i++) {
      byte b =
          random.nextInt(3) == 0
              ? (byte) random.nextInt()
              : (byte) ":{}[]-, 0as\n\"*&".charAt(random.nextInt(15));
      bytes[random.nextInt(bytes.length)] = b;
    }
    try {
      Scenario scenario = ScenarioParser.parse(ScenarioFile.parse("f.yml", bytes));
      assertTrue(scenario.durationNs() > 0);
    } catch (SimException e) {
      assertTrue(e.getMessage().startsWith("f.yml:"), e::getMessage);
    }
  }
}
