package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The example whose device crashes ten times, against coreutils. */
@ExtendWith(Platform.class)
class CrashIT {
  private static final String JOB = Platform.root().resolve("examples/crash/job.yml").toString();

  @TempDir Path folder;

  @Test
  void bothOutputsAreWhatCoreutilsCompute() throws Exception {
    String platform = Platform.isle("status", "--json").out();
    Path a = Files.write(folder.resolve("a"), Blocks.random(5 * Blocks.BLOCK + 17));
    Path b = Files.write(folder.resolve("b"), Blocks.random(3));
    Platform.Result result =
        Platform.isle(
            "run",
            JOB,
            "--set",
            "a=" + a,
            "--set",
            "b=" + b,
            "--set",
            "out-a=" + folder.resolve("hashes of a"),
            "--set",
            "out-b=" + folder.resolve("hashes of b"),
            "--json");
    JsonNode job = result.succeeded().json();
    assertEquals(coreutils(a), hashes(folder.resolve("hashes of a")));
    assertEquals(coreutils(b), hashes(folder.resolve("hashes of b")));

    assertEquals(0, job.get("wrong").asInt());
    assertTrue(job.get("recoveries").asInt() >= 10, job::toString);
    Map<String, Integer> kinds = new TreeMap<>();
    for (JsonNode recovery : job.get("recovery_log")) {
      kinds.merge(recovery.get("kind").asText(), 1, Integer::sum);
      assertEquals("soft90", recovery.get("device").asText());
      assertEquals("recovered", recovery.get("outcome").asText());
      assertTrue(recovery.get("total_ns").asLong() >= recovery.get("open_ns").asLong());
    }
    assertEquals(Map.of("segv", 3, "abort", 2, "exit", 2, "kill", 2, "hang", 1), kinds);
    for (JsonNode claim : job.get("claims")) {
      assertTrue(claim.get("holds").asBoolean(), claim::toString);
    }

    // The device was only the job's, and the platform is the one that was there before.
    Awaiting.await("soft90 is gone", () -> !Devices.exists("soft90"));
    assertEquals(platform, Platform.isle("status", "--json").out());
  }

  @Test
  void onlyAnAdminMay() throws Exception {
    Path a = Files.write(folder.resolve("a"), Blocks.random(1));
    String line = "job:run '" + JOB + "' --set 'a=" + a + "' --set 'b=" + a + "'";
    Platform.Result result = Platform.sh(line, "--as", "manager").failed(1);
    assertTrue(result.err().contains("admin"), result.err());
  }

  private static List<String> hashes(Path file) throws Exception {
    return Files.readAllLines(file).stream().map(CrashIT::firstWord).toList();
  }

  private List<String> coreutils(Path file) {
    List<String> split = List.of("split", "-b", "1M", "--filter=sha256sum", file.toString());
    return Call.begin(folder, Map.of(), split)
        .end()
        .succeeded()
        .out()
        .lines()
        .map(CrashIT::firstWord)
        .toList();
  }

  private static String firstWord(String line) {
    return line.substring(0, line.indexOf(' '));
  }
}
