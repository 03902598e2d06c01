package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A driver's host process is killed from outside in the middle of a job. */
@ExtendWith(Platform.class)
class HostKilledIT {
  private static final String OTHER = "sim6";
  private static final int PIECE = 8 * Blocks.BLOCK;

  @TempDir Path folder;

  @BeforeEach
  void addAnotherDevice() throws Exception {
    Devices.configure(OTHER, "driver = sim");
    Devices.awaitState(OTHER, "active");
    Devices.awaitState("soft0", "active");
  }

  @AfterEach
  void removeIt() throws Exception {
    Files.delete(Devices.settings(OTHER));
    Awaiting.await(OTHER + " is gone", () -> !Devices.exists(OTHER));
  }

  @Test
  void theJobEndsRightAndSaysSoAndNobodyElseNotices() throws Exception {
    Path output = folder.resolve("output");
    byte[] bytes = Blocks.random(2 * PIECE + 3);
    long host = Devices.info("soft0").get("host_pid").asLong();
    int otherEpoch = Devices.info(OTHER).get("epoch").asInt();
    String platform = Platform.isle("status", "--json").out();

    try (Feed input = Feed.create(folder.resolve("input"))) {
      Call call =
          Platform.begin(
              "run",
              Blocks.jobOn("soft0", folder).toString(),
              "--set",
              "input=" + input.path(),
              "--set",
              "output=" + output);
      input.give(Arrays.copyOf(bytes, PIECE));
      Awaiting.await("the first piece is done", () -> running().get("bytes").asInt() == PIECE);
      // Stopped, it keeps the next piece: so the kill meets work in flight for certain.
      signal("STOP", host);
      input.give(Arrays.copyOfRange(bytes, PIECE, bytes.length));
      Awaiting.await("the second piece is submitted", HostKilledIT::inFlight);
      signal("KILL", host);
      input.end();
      Platform.Result result = call.end().succeeded();
      assertTrue(said(result, "recoveries") >= 1, result.out());
      assertTrue(said(result, "retries") >= 1, result.out());
      assertEquals(0, said(result, "wrong"));
    }
    assertEquals(Blocks.expected(bytes), Files.readAllLines(output));

    JsonNode device = Devices.info("soft0");
    assertEquals("active", device.get("state").asText());
    assertNotEquals(host, device.get("host_pid").asLong());
    assertEquals(platform, Platform.isle("status", "--json").out());
    assertEquals(otherEpoch, Devices.info(OTHER).get("epoch").asInt());
    assertEquals(0, Platform.sh("accel:contexts", "--json").succeeded().json().size());
  }

  /** What the summary says: {@code # KEY NUMBER}. */
  private static int said(Platform.Result result, String key) {
    return result
        .out()
        .lines()
        .filter(line -> line.startsWith("# " + key + " "))
        .map(line -> Integer.parseInt(line.substring(key.length() + 2).strip()))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + key + " in: " + result.out()));
  }

  private static boolean inFlight() throws Exception {
    for (JsonNode context : Platform.sh("accel:contexts", "--json").succeeded().json()) {
      if (context.get("pending").asInt() + context.get("in_flight").asInt() > 0) {
        return true;
      }
    }
    // The core was faster: it gives up a host that leaves work lying.
    return !Platform.sh("driver:history soft0", "--json").succeeded().json().isEmpty();
  }

  private void signal(String name, long pid) {
    Call.begin(folder, Map.of(), List.of("kill", "-" + name, Long.toString(pid))).end();
  }

  private static JsonNode running() throws Exception {
    for (JsonNode job : Platform.sh("job:list", "--json").succeeded().json()) {
      if (job.get("state").asText().equals("running")) {
        return job;
      }
    }
    throw new AssertionError("no job is running");
  }
}
