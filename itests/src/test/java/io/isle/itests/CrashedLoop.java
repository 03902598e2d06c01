package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A job with a loop whose OpenCL device is made to crash in the middle. */
final class CrashedLoop {
  private static final String DEVICE = "opencl8";

  /**
   * Time that the loop must have computed before the crash. The whole loop must take several times
   * as long on a fast machine, as some time passes between two looks at the job.
   */
  private static final long MIDDLE_NS = 400_000_000;

  private CrashedLoop() {}

  /**
   * Runs a job on a device of its own, which crashes once. The job's loop gets checkpoints, and
   * claims that say what was run again.
   *
   * @param memory setting of the device
   * @param folder of the example
   * @param step name of the step with the loop
   * @param checkpoint turns between two checkpoints
   * @param values of the job's parameters
   * @return turns that were run
   */
  static double run(
      String memory,
      Path folder,
      String step,
      int checkpoint,
      Path temporary,
      Map<String, String> values)
      throws Exception {
    JsonNode first = Devices.info("opencl0").get("properties");
    Devices.configure(
        DEVICE,
        "driver = opencl",
        "device = " + first.get("seed").asText(),
        "memory = " + memory,
        "fault_injection = true");
    try {
      Devices.awaitState(DEVICE, "active");
      Path job = job(folder, step, checkpoint, temporary);
      List<String> words = new ArrayList<>(List.of("run", job.toString(), "--json"));
      values.forEach((key, value) -> words.addAll(List.of("--set", key + "=" + value)));
      words.addAll(List.of("--set", "device=" + DEVICE));
      Call running = Platform.begin(words.toArray(String[]::new));
      Awaiting.await("the loop computes", () -> computesLong(step));
      Platform.sh("driver:crash " + DEVICE).succeeded();
      JsonNode result = running.end().succeeded().json();
      assertEquals(1, result.get("recoveries").asInt(), result::toString);
      double turns = claim(result, "turns");
      double repeated = claim(result, "repeated");
      assertTrue(turns > 10 * checkpoint, turns + " turns");
      assertTrue(repeated <= 2 * checkpoint, repeated + " turns of " + turns + " ran again");
      return turns;
    } finally {
      Files.delete(Devices.settings(DEVICE));
      Awaiting.await(DEVICE + " is gone", () -> !Devices.exists(DEVICE));
    }
  }

  private static Path job(Path folder, String step, int checkpoint, Path temporary)
      throws Exception {
    for (Path file : list(folder)) {
      Files.copy(file, temporary.resolve(file.getFileName()));
    }
    Path job = temporary.resolve("job.yml");
    String text =
        Files.readString(job)
            .replace("    loop:\n", "    loop:\n      checkpoint: " + checkpoint + "\n");
    String claims =
        "  - {name: turns, value: step.%1$s.turns, goal: '> 0'}\n"
            + "  - {name: repeated, value: step.%1$s.repeated, goal: '>= 0'}\n";
    return Files.writeString(job, text + claims.formatted(step));
  }

  private static List<Path> list(Path folder) throws Exception {
    try (var files = Files.list(folder)) {
      return files.toList();
    }
  }

  /** Whether the newest job is in the middle of the step. */
  private static boolean computesLong(String step) throws Exception {
    JsonNode jobs = Platform.sh("job:list", "--json").succeeded().json();
    for (JsonNode each : jobs) {
      if (each.get("state").asText().equals("running")) {
        JsonNode job = Platform.sh("job:show " + each.get("id").asText(), "--json").json();
        for (JsonNode one : job.get("steps")) {
          if (one.get("step").asText().equals(step)) {
            return one.get("compute_ns").asLong() > MIDDLE_NS;
          }
        }
      }
    }
    return false;
  }

  private static double claim(JsonNode result, String name) {
    for (JsonNode claim : result.get("claims")) {
      if (claim.get("name").asText().equals(name)) {
        return claim.get("value").asDouble();
      }
    }
    throw new AssertionError("no claim " + name + " in " + result);
  }
}
