package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The example of a periodic context next to a flood. */
@Alone("deadlines are missed where processors are busy")
@ExtendWith(Platform.class)
class RealtimeIT {
  private static final String JOB = Platform.root().resolve("examples/realtime/job.yml").toString();

  @TempDir Path folder;

  @Test
  void theRealtimeContextKeepsItsDeadlines() throws Exception {
    Path picture = folder.resolve("when.svg");
    Platform.Result result =
        Platform.isle("run", JOB, "--json", "--set", "seconds=2", "--set", "timeline=" + picture);
    JsonNode job = result.succeeded().json();
    JsonNode with = job.get("periodic").get(0);
    JsonNode without = job.get("periodic").get(1);
    assertEquals("control", with.get("stream").asText());
    assertEquals("realtime", with.get("priority").asText());
    assertEquals("without", without.get("stream").asText());
    assertEquals(100, with.get("submissions").asInt(), 1);
    assertTrue(with.get("misses").asInt() <= 10, with::toString);
    assertTrue(with.get("p50_ns").asLong() >= 2_000_000, with::toString);
    assertTrue(without.get("p50_ns").asLong() > with.get("p50_ns").asLong(), job::toString);
    assertTrue(Files.readString(picture).contains("control"));
    Awaiting.await("soft96 is gone", () -> !Devices.exists("soft96"));
  }

  @Test
  void onlyAnAdminMay() throws Exception {
    Platform.Result result = Platform.sh("job:run '" + JOB + "'", "--as", "manager").failed(1);
    assertTrue(result.err().contains("admin"), result.err());
  }
}
