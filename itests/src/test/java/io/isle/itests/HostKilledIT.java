package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
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
  void theJobFailsClearlyTheRestGoesOnAndAReloadHeals() throws Exception {
    String job = Blocks.jobOn("soft0", folder).toString();
    Path output = folder.resolve("output");
    long host = Devices.info("soft0").get("host_pid").asLong();
    int otherEpoch = Devices.info(OTHER).get("epoch").asInt();
    String platform = Platform.isle("status", "--json").out();

    try (Feed input = Feed.create(folder.resolve("input"))) {
      Call call =
          Platform.begin("run", job, "--set", "input=" + input.path(), "--set", "output=" + output);
      input.give(Blocks.random(PIECE + Blocks.BLOCK));
      Awaiting.await("the first piece is done", () -> running().get("bytes").asInt() == PIECE);
      assertTrue(ProcessHandle.of(host).orElseThrow().destroyForcibly());
      Platform.Result result = call.end().failed(1);
      assertTrue(result.err().contains("soft0"), result.err());
      assertTrue(result.err().contains("driver:reload"), result.err());
      assertFalse(Files.exists(output), "a half-written output");
    }

    JsonNode failed = Devices.info("soft0");
    assertEquals("failed", failed.get("state").asText());
    assertTrue(failed.get("error").asText().contains("signal 9"), failed::toString);
    assertEquals(platform, Platform.isle("status", "--json").out());
    assertEquals("active", Devices.info(OTHER).get("state").asText());
    assertEquals(otherEpoch, Devices.info(OTHER).get("epoch").asInt());
    isRight(Blocks.jobOn(OTHER, folder).toString());

    Platform.sh("driver:reload soft0").succeeded();
    assertEquals("active", Devices.info("soft0").get("state").asText());
    assertNotEquals(host, Devices.info("soft0").get("host_pid").asLong());
    isRight(job);
    assertEquals(0, Platform.sh("accel:contexts", "--json").succeeded().json().size());
  }

  private static JsonNode running() throws Exception {
    for (JsonNode job : Platform.sh("job:list", "--json").succeeded().json()) {
      if (job.get("state").asText().equals("running")) {
        return job;
      }
    }
    throw new AssertionError("no job is running");
  }

  private void isRight(String job) throws Exception {
    byte[] bytes = Blocks.random(2 * Blocks.BLOCK + 1);
    Path input = Files.write(folder.resolve("right"), bytes);
    Platform.Result result =
        Platform.isle("run", job, "--set", "input=" + input, "--set", "print=true").succeeded();
    assertEquals(Blocks.expected(bytes), Blocks.printed(result));
  }
}
