package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bundles are updated and restarted while a job works; what stays is what users have. */
@ExtendWith(Platform.class)
class RestartsIT {
  private static final int PIECE = 8 * Blocks.BLOCK;

  @TempDir Path folder;

  private final byte[] bytes = Blocks.random(3 * PIECE + 9);

  /**
   * Leaves, the owner of drivers, whom contexts wait for, and the owners of contexts and rights:
   * then jobs open new contexts. The input is a pipe, which can be read once: a job that began anew
   * would miss what it had read.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "io.isle.drivers.soft",
        "io.isle.drivers.sim",
        "io.isle.drivers.opencl",
        "io.isle.drivers.display",
        "io.isle.core.drivers",
        "io.isle.core.health",
        "io.isle.core.observe",
        "io.isle.core.agents",
        "io.isle.core.accel",
        "io.isle.core.display",
        "io.isle.core.tenancy",
        "io.isle.core.devices",
        "io.isle.faces.shell.base",
        "io.isle.faces.shell.accel",
        "io.isle.faces.shell.agents",
        "io.isle.faces.shell.device",
        "io.isle.faces.shell.display",
        "io.isle.faces.shell.driver",
        "io.isle.faces.shell.group",
        "io.isle.faces.shell.observe"
      })
  void aJobOutlivesARestartAndAnUpdate(String bundle) throws Exception {
    Path output = folder.resolve("output");
    Path job = Blocks.jobOn("soft0", folder);
    Devices.awaitState("soft0", "active");
    Call call;
    try (Feed input = Feed.create(folder.resolve("input"))) {
      call =
          Platform.begin(
              "run",
              job.toString(),
              "--set",
              "input=" + input.path(),
              "--set",
              "output=" + output,
              "--json");
      input.give(Arrays.copyOf(bytes, PIECE + Blocks.BLOCK));
      Platform.sh("bundle:restart " + bundle).succeeded();
      Devices.awaitState("soft0", "active");
      input.give(Arrays.copyOfRange(bytes, PIECE + Blocks.BLOCK, 2 * PIECE + Blocks.BLOCK));
      Platform.sh("bundle:update " + bundle).succeeded();
      Devices.awaitState("soft0", "active");
      input.give(Arrays.copyOfRange(bytes, 2 * PIECE + Blocks.BLOCK, bytes.length));
    }
    JsonNode result = call.end().succeeded().json();
    assertEquals(Blocks.expected(bytes), Files.readAllLines(output));
    assertEquals(bytes.length, result.get("bytes").asLong(), "each chunk counts once");
  }

  @Test
  void aJobEndsWithTheServiceThatRunsItAndTheNextOneIsRight() throws Exception {
    Path output = folder.resolve("output");
    Path job = Blocks.jobOn("soft0", folder);
    Devices.awaitState("soft0", "active");
    Call call;
    try (Feed input = Feed.create(folder.resolve("input"))) {
      call =
          Platform.begin(
              "run", job.toString(), "--set", "input=" + input.path(), "--set", "output=" + output);
      input.give(Arrays.copyOf(bytes, PIECE + Blocks.BLOCK));
      Platform.sh("bundle:restart io.isle.apps.jobs").succeeded();
    }
    assertFalse(call.end().code() == 0);
    assertFalse(Files.exists(output), "a half-written output");
    Path data = Files.write(folder.resolve("data"), bytes);
    assertEquals(
        Blocks.expected(bytes),
        Blocks.printed(
            Platform.isle("run", job.toString(), "--set", "input=" + data, "--set", "print=true")
                .succeeded()));
  }
}
