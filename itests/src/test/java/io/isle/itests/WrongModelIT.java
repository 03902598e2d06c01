package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A signed model whose answers are wrong on purpose, in an instance of its own. */
@ExtendWith(Platform.class)
class WrongModelIT {
  private static final int BLOCKS = 200;
  private static final int JOBS = 40;

  /** A submission takes a second, in 16ths of the logarithm of nanoseconds. */
  private static final int SECOND = 478;

  @TempDir Path folder;
  private ModelInstance instance;

  @BeforeEach
  void begin() throws IOException {
    instance = new ModelInstance("wrong-model", folder);
    instance.begin();
  }

  @AfterEach
  void stop() {
    instance.isle("stop").succeeded();
  }

  @Test
  void isDisabledByDriftAndStaysSoOverARestart() throws Exception {
    instance.set("io.isle.inference", "look_s", "1");
    instance.load(instance.constant(1, SECOND));
    assertEquals("", instance.info().get("fallback_reason").asText());
    assertEquals("1", instance.info().get("active").asText());

    workUntilDrift();
    JsonNode drifted = instance.info();
    assertTrue(drifted.get("drift_detected").asBoolean(), drifted::toString);
    assertTrue(drifted.get("require_admin_reset").asBoolean(), drifted::toString);
    assertTrue(drifted.get("accuracy").asDouble() < 0.6, drifted::toString);
    assertEquals("0", drifted.get("active").asText());
    // the only group first, then the model, as that is more than half of the groups
    List<String> groupAndModel = List.of("submission_time", "submission_time");
    assertEquals(groupAndModel, instance.audited("inference.drift"));
    assertEquals(groupAndModel, instance.audited("inference.entered"));
    String log = Files.readString(instance.folder().resolve("data/log/karaf.log"));
    assertTrue(
        log.contains("ISLE-INFERENCE: model=submission_time event=entered reason=drift"), log);

    instance.isle("stop").succeeded();
    instance.isle("start").succeeded();
    Awaiting.await(
        "the model is proven again",
        () -> instance.info().get("fallback_reason").asText().equals("drift"));
    assertFalse(instance.info().get("model.bin").isNull());
    assertEquals("0", instance.info().get("active").asText());

    instance.sh("model:reset submission_time").succeeded();
    assertEquals("", instance.info().get("fallback_reason").asText());
    assertEquals("1", instance.info().get("active").asText());
    assertEquals(groupAndModel, instance.audited("inference.admin_reset"));
  }

  /** Submissions whose outcomes the engine sees, again and again. */
  private void workUntilDrift() throws IOException {
    Path input = folder.resolve("input");
    try (RandomAccessFile file = new RandomAccessFile(input.toFile(), "rw")) {
      file.setLength((long) BLOCKS * Blocks.BLOCK);
    }
    for (int job = 0; job < JOBS; job++) {
      instance.isle("run", Blocks.JOB, "--set", "input=" + input).succeeded();
      if (instance.info().get("fallback_reason").asText().equals("drift")) {
        return;
      }
    }
    throw new AssertionError("no drift after " + JOBS + " jobs: " + instance.info());
  }
}
