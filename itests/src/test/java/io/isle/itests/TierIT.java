package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The same library in the platform's process and in one of its own, between jobs. */
@ExtendWith(Platform.class)
class TierIT {
  private static final String JOB =
      Platform.root().resolve("examples/blockhash/job.yml").toString();

  @TempDir Path folder;

  @Test
  void everyJobIsRightInTheTierOfItsTime() throws Exception {
    Path input = Files.writeString(folder.resolve("text"), "hello");
    for (int tier : new int[] {1, 2}) {
      Platform.sh("driver:tier soft0 " + tier).succeeded();
      Devices.awaitState("soft0", "active");
      assertEquals(tier == 1, Devices.info("soft0").get("host_pid").isNull());
      Platform.Result result = Platform.isle("run", JOB, "--set", "input=" + input, "--json");
      assertEquals(tier, result.succeeded().json().get("tier").asInt());
      assertTrue(result.json().get("error").isNull());
    }
  }
}
