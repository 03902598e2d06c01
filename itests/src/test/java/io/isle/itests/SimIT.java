package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The simulator as a user calls it, and the journal of the device of a running instance. */
@ExtendWith(Platform.class)
class SimIT {
  private static final String EXAMPLE =
      Platform.root().resolve("docs/sim/fair-share.yml").toString();

  @TempDir private Path folder;

  @Test
  void theExampleIsOneDocumentAndAlwaysTheSame() throws Exception {
    Platform.Result result = Platform.isle("sim", EXAMPLE, "--json").succeeded();
    for (JsonNode group : result.json().get("groups")) {
      if (!group.get("promised").isNull()) {
        assertEquals(
            group.get("promised").asDouble(),
            group.get("given").asDouble(),
            0.005,
            group::toString);
      }
    }
    assertEquals(result.out(), Platform.isle("sim", EXAMPLE, "--json").succeeded().out());
  }

  @Test
  void mistakesAndHelp() throws Exception {
    assertTrue(Platform.isle("sim", "--help").succeeded().out().startsWith("usage: ./isle sim"));
    Path file = Files.writeString(folder.resolve("bad.yml"), "duration: 1s\ndevices: 7\n");
    Platform.Result bad = Platform.isle("sim", file.toString()).failed(2);
    assertEquals("", bad.out());
    assertTrue(bad.err().contains("bad.yml:2:10: devices: must be a mapping"), bad.err());
    assertEquals("", Platform.isle("sim", folder.resolve("none.yml").toString()).failed(1).out());
    assertEquals("", Platform.isle("sim", "a.yml", "b.yml").failed(2).out());
  }

  /** What soft0 decided while a job ran is decided again. */
  @Test
  void aLiveDeviceIsReplayed() throws Exception {
    Path journal = folder.resolve("soft0.journal");
    Path input = Files.write(folder.resolve("input"), Blocks.random(40 * Blocks.BLOCK));
    Call writing =
        Platform.begin("sh", "accel:journal soft0 --seconds 6 --out " + journal, "--json");
    for (int i = 0; i < 2; i++) {
      Path output = folder.resolve("output" + i);
      Platform.isle("run", Blocks.JOB, "--set", "input=" + input, "--set", "output=" + output)
          .succeeded();
    }
    JsonNode written = writing.end().succeeded().json();
    assertEquals(0, written.get("missed").asLong(), written::toString);
    JsonNode replayed = Platform.isle("sim", "--replay", journal.toString(), "--json").json();
    assertTrue(replayed.get("same").asBoolean(), replayed::toString);
    assertTrue(replayed.get("decisions").asLong() > 10, replayed::toString);
    assertEquals(written.get("records").asLong(), replayed.get("records").asLong());
    // a byte that is another is found
    byte[] bytes = Files.readAllBytes(journal);
    bytes[bytes.length / 2] ^= 0x55;
    Files.write(journal, bytes);
    var ignored = Platform.isle("sim", "--replay", journal.toString()).failed(1);
    Platform.Result viewer =
        Platform.sh("accel:journal soft0 --seconds 1 --out " + journal, "--as", "viewer").failed(1);
    assertTrue(viewer.err().contains("accel:journal"), viewer.err());
  }
}
