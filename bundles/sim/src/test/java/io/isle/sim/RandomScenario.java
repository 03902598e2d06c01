package io.isle.sim;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes files with one device, groups that are promised or limited, and tenants of all kinds. */
final class RandomScenario {
  static final String DEVICE = "sim0";

  /** Without a promise; ascending. */
  private static final List<String> PRIORITIES = List.of("background", "normal", "high");

  /** Longest service time. */
  final long mostUs;

  final int depth;
  final int parallel;
  final Random random;

  /** Of each promised group: quota and period in us; group g is named {@code p<g>}. */
  final List<long[]> promises = new ArrayList<>();

  /** Whether work that runs can be stopped; else what is over its limit is paid back by resting. */
  private final boolean stops;

  private final StringBuilder devices = new StringBuilder();
  private final StringBuilder groups = new StringBuilder();
  private final StringBuilder contexts = new StringBuilder();
  private final StringBuilder events = new StringBuilder();
  private final long seed;
  private final long durationMs;
  private final List<String> names = new ArrayList<>();

  /**
   * @param failing whether work may fail
   * @param deep whether the device may have more at a time than one that promises something has by
   *     itself: then who has left it for others finds it full of others' work
   */
  RandomScenario(long seed, long durationMs, boolean failing, boolean deep) {
    this.seed = seed >>> 1;
    this.durationMs = durationMs;
    random = new Random(seed);
    mostUs = 200L + random.nextInt(2000);
    parallel = 1 + random.nextInt(2);
    // with less, it could not all be given
    depth = Math.max(parallel, 1 + random.nextInt(deep ? 5 : 2));
    int granularity = random.nextInt(4);
    stops = granularity >= 2;
    String preemption =
        List.of("none", "command_buffer", "draw_dispatch", "instruction").get(granularity);
    devices
        .append("  " + DEVICE + ":\n")
        .append("    units: " + parallel + "\n")
        .append("    parallel: " + parallel + "\n")
        .append("    depth: " + depth + "\n")
        .append("    preemption: " + preemption + "\n")
        .append("    check_interval: " + (20 + random.nextInt(100)) + "us\n")
        .append("    preemption_latency: " + random.nextInt(20) + "us\n");
    if (failing) {
      devices.append("    failures: 0." + random.nextInt(3) + "5\n");
    }
  }

  /** Also where nothing is promised. */
  void policy(String name) {
    devices.append("    policy: " + name + "\n");
  }

  /** Groups with a promise each, of 95 % together at most. */
  void promise(int count) {
    int percent = 95;
    for (int g = 0; g < count; g++) {
      int share = 1 + random.nextInt(percent / 2);
      percent -= share;
      long period = (5 + random.nextInt(45)) * 1000L;
      long quota = Math.max(1000, period * share / 100);
      promises.add(new long[] {quota, period});
      groups.append("  p" + g + ": {compute.guarantee: " + guarantee(g) + "}\n");
    }
  }

  String guarantee(int g) {
    return time(promises.get(g)[0], promises.get(g)[1]);
  }

  /** Of the device. */
  static String time(long quotaUs, long periodUs) {
    return DEVICE + " " + quotaUs + " " + periodUs;
  }

  void group(String name, String keys) {
    groups.append("  " + name + ": {" + keys + "}\n");
  }

  /** Of a context in a group with a promise. */
  String urgency() {
    return random.nextInt(4) == 0 ? "realtime" : priority();
  }

  /** Of any context. */
  String priority() {
    return PRIORITIES.get(random.nextInt(PRIORITIES.size()));
  }

  /** Of two contexts without a promise, who is served first. */
  static int compare(String one, String other) {
    return Integer.compare(PRIORITIES.indexOf(one), PRIORITIES.indexOf(other));
  }

  /** A tenant with service times at random, and at times a limit that half of them are beyond. */
  void tenant(String name, String group, String priority, String workload) {
    tenant(name, group, priority, workload, stops && random.nextInt(3) == 0);
  }

  /** One that asks for all that it can get at any time: none of its work is stopped for itself. */
  void flooder(String name, String group, String priority) {
    tenant(name, group, priority, "flood", false);
  }

  private void tenant(
      String name, String group, String priority, String workload, boolean limited) {
    names.add(name);
    long min = 1L + random.nextInt((int) mostUs / 2);
    contexts
        .append("  " + name + ":\n    group: " + group + "\n    priority: " + priority + "\n")
        .append(limited ? "    execution_limit: " + (min + mostUs) / 2 + "us\n" : "")
        // whoever asks for all that it can get has more pending than the device takes
        .append("    queue: " + (workload.equals("flood") ? 16 : 2 << random.nextInt(4)) + "\n")
        .append("    keep_pending: " + random.nextBoolean() + "\n")
        .append("    workload: " + workload + "\n")
        .append("    service: {uniform: [" + min + "us, " + mostUs + "us]}\n");
  }

  String workload() {
    return switch (random.nextInt(5)) {
      case 0 -> "flood";
      case 1 -> "{closed: " + (1 + random.nextInt(5)) + ", think: " + random.nextInt(5) + "ms}";
      case 2 -> "{poisson: " + (1 + random.nextInt(20)) + "ms}";
      case 3 ->
          "{periodic: "
              + (1 + random.nextInt(30))
              + "ms, phase: "
              + random.nextInt(20)
              + "ms, burst: "
              + (1 + random.nextInt(8))
              + "}";
      default -> "{trace: [0ms, 1ms, 1ms, 5ms, 70ms]}";
    };
  }

  void event(long atMs, String what) {
    events.append("  - {at: " + atMs + "ms, " + what + "}\n");
  }

  List<String> names() {
    return names;
  }

  String text() {
    return "seed: "
        + seed
        + "\nduration: "
        + durationMs
        + "ms\ndevices:\n"
        + devices
        + (groups.isEmpty() ? "" : "groups:\n" + groups)
        + "contexts:\n"
        + contexts
        + (events.isEmpty() ? "" : "events:\n" + events);
  }

  Scenario parse() {
    return ScenarioParser.parse(
        ScenarioFile.parse("random.yml", text().getBytes(StandardCharsets.UTF_8)));
  }

  Simulation simulation() {
    return new Simulation(parse(), null);
  }

  /** What one submission each, and those in flight, may shift. */
  long granularityNs() {
    return (depth + 2) * mostUs * 1000;
  }

  /** Device time that a group was given. */
  static long givenNs(Simulation simulation, String group) {
    long sum = 0;
    for (TenantRun tenant : simulation.groups().within(group, DEVICE)) {
      DeviceRun device = simulation.deviceOf(tenant);
      sum += (tenant.ranNs + device.runningNs(tenant)) / device.spec().parallel();
    }
    return sum;
  }
}
