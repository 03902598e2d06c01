package io.isle.sim;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Scenarios of a few words, for tests. */
final class Scenes {
  static final long MS = 1_000_000;

  /** What a context does that asks for all of its device. */
  static final String FLOOD = "workload: flood, service: 1ms";

  private Scenes() {}

  static Scenario parse(String text) {
    return ScenarioParser.parse(ScenarioFile.parse("f.yml", text.getBytes(StandardCharsets.UTF_8)));
  }

  static Simulation run(String text) {
    Simulation simulation = new Simulation(parse(text), null);
    simulation.run();
    return simulation;
  }

  /** A second of the device sim0 with these keys. */
  static String second(String device, String contexts, String more) {
    return "duration: 1s\ndevices: {sim0: {%s}}\ncontexts: {%s}\n%s\n"
        .formatted(device, contexts, more);
  }

  static Simulation run(String device, String contexts, String more) {
    return run(second(device, contexts, more));
  }

  /** The context a alone on its device, for a second. */
  static TenantRun alone(String device, String context, String more) {
    return tenant(run(device, "a: {" + context + "}", more), "a");
  }

  static TenantRun tenant(Simulation simulation, String name) {
    return simulation.tenants().stream()
        .filter(tenant -> tenant.spec().name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** Keys that are allowed where an unknown one stands in a file. */
  static List<String> allowed(String text) {
    String message = assertThrows(SimException.class, () -> parse(text)).getMessage();
    Matcher list = Pattern.compile("unknown key; allowed here: (.*)").matcher(message);
    assertTrue(list.find(), message);
    return List.of(list.group(1).split(", "));
  }
}
