package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A signed model whose answers are wrong on purpose, in an instance of its own. */
@ExtendWith(Platform.class)
class WrongModelIT {
  private static final String INSTANCE = "wrong-model";
  private static final Path INSTANCE_FOLDER = Platform.STATE.resolve("instances").resolve(INSTANCE);
  private static final int BLOCKS = 200;
  private static final int JOBS = 40;

  /** Says that each submission takes a second. */
  private static final String MODEL =
      """
      {
        "decision": {
          "name": "submission_time",
          "features": [
            {"name": "program", "unit": "hash", "min": 0, "max": 65535},
            {"name": "device_class", "unit": "number", "min": 0, "max": 255},
            {"name": "units", "unit": "count", "min": 0, "max": 65536},
            {"name": "operations", "unit": "count", "min": 0, "max": 65535},
            {"name": "in_flight", "unit": "count", "min": 0, "max": 65535},
            {"name": "bytes", "unit": "log2_B/16", "min": 0, "max": 1008},
            {"name": "items", "unit": "log2/16", "min": 0, "max": 1008},
            {"name": "scalars", "unit": "log2/16", "min": 0, "max": 1008},
            {"name": "copied", "unit": "log2_B/16", "min": 0, "max": 1008},
            {"name": "last_time", "unit": "log2_ns/16", "min": 0, "max": 640},
            {"name": "mean_time", "unit": "log2_ns/16", "min": 0, "max": 640},
            {"name": "same_time", "unit": "log2_ns/16", "min": 0, "max": 640}
          ],
          "outputs": [{"name": "time", "unit": "log2_ns/16", "min": 0, "max": 640, "outside": "clamp"}]
        },
        "serial": 1,
        "trained_at": "2026-01-31T12:00:00Z",
        "model": {
          "type": "linear",
          "outputs": [{"bias": 478, "shift": 0, "weights": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}]
        }
      }
      """;

  @TempDir Path folder;

  @AfterEach
  void stop() {
    isle("stop").succeeded();
  }

  @Test
  void isDisabledByDriftAndStaysSoOverARestart() throws Exception {
    Path key = folder.resolve("author");
    Path model = folder.resolve("wrong.islemodel");
    mltool("keygen", key.toString());
    Path text = Files.writeString(folder.resolve("wrong.json"), MODEL);
    mltool("build", text.toString(), "--out", model.toString());
    mltool("sign", model.toString(), key + ".key");
    Sdk.delete(INSTANCE_FOLDER);
    isle("start").succeeded();
    Path keys = Files.createDirectories(INSTANCE_FOLDER.resolve("etc/model-keys"));
    Files.copy(Path.of(key + ".pub"), keys.resolve("author.pub"));
    lookEachSecond();
    Awaiting.await(
        "the key is trusted", () -> isle("sh", "model:load '" + model + "'").code() == 0);
    assertEquals("", info().get("fallback_reason").asText());
    assertEquals("1", info().get("active").asText());

    workUntilDrift();
    JsonNode drifted = info();
    assertTrue(drifted.get("drift_detected").asBoolean(), drifted::toString);
    assertTrue(drifted.get("require_admin_reset").asBoolean(), drifted::toString);
    assertTrue(drifted.get("accuracy").asDouble() < 0.6, drifted::toString);
    assertEquals("0", drifted.get("active").asText());
    // the only group first, then the model, as that is more than half of the groups
    List<String> groupAndModel = List.of("submission_time", "submission_time");
    assertEquals(groupAndModel, audited("inference.drift"));
    assertEquals(groupAndModel, audited("inference.entered"));
    String log = Files.readString(INSTANCE_FOLDER.resolve("data/log/karaf.log"));
    assertTrue(
        log.contains("ISLE-INFERENCE: model=submission_time event=entered reason=drift"), log);

    isle("stop").succeeded();
    isle("start").succeeded();
    Awaiting.await(
        "the model is proven again", () -> info().get("fallback_reason").asText().equals("drift"));
    assertFalse(info().get("model.bin").isNull());
    assertEquals("0", info().get("active").asText());

    isle("sh", "model:reset submission_time").succeeded();
    assertEquals("", info().get("fallback_reason").asText());
    assertEquals("1", info().get("active").asText());
    assertEquals(groupAndModel, audited("inference.admin_reset"));
  }

  /** Submissions whose outcomes the engine sees, again and again. */
  private void workUntilDrift() throws IOException {
    Path input = folder.resolve("input");
    try (RandomAccessFile file = new RandomAccessFile(input.toFile(), "rw")) {
      file.setLength((long) BLOCKS * Blocks.BLOCK);
    }
    for (int job = 0; job < JOBS; job++) {
      isle("run", Blocks.JOB, "--set", "input=" + input).succeeded();
      if (info().get("fallback_reason").asText().equals("drift")) {
        return;
      }
    }
    throw new AssertionError("no drift after " + JOBS + " jobs: " + info());
  }

  private static void lookEachSecond() throws IOException {
    Path file = INSTANCE_FOLDER.resolve("etc/io.isle.inference.cfg");
    String text = Files.readString(file).replaceFirst("(?m)^look_s *=.*$", "look_s = 1");
    assertTrue(text.contains("look_s = 1\n"), text);
    Path beside = Files.writeString(INSTANCE_FOLDER.resolve("cfg.part"), text);
    Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** The models that records of this action are about. */
  private static List<String> audited(String action) throws IOException {
    return isle("sh", "audit:tail -n 100 --action " + action, "--json")
        .succeeded()
        .json()
        .findValuesAsText("object");
  }

  private static JsonNode info() throws IOException {
    return isle("sh", "model:info submission_time", "--json").succeeded().json();
  }

  private static void mltool(String... arguments) {
    List<String> all = new ArrayList<>(List.of("mltool"));
    all.addAll(List.of(arguments));
    Call.isle(Map.of(), all).end().succeeded();
  }

  private static Platform.Result isle(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--instance", INSTANCE));
    return Call.isle(Map.of(), all).end();
  }
}
