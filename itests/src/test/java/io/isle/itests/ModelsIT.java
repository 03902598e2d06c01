package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models come, go and are judged, in an instance of their own, which restarts. */
class ModelsIT {
  private static final int JOBS = 40;

  /** A submission takes a second, in 16ths of the logarithm of nanoseconds. */
  private static final int SECOND = 478;

  @TempDir static Path folder;
  private static ModelInstance instance;

  /** That of the newest model: an instance takes no older one. */
  private static int serial;

  @BeforeAll
  static void begin() throws IOException {
    instance = new ModelInstance("models", folder);
    instance.begin();
    instance.set("io.isle.inference", "keys_ms", "100");
    instance.set("io.isle.inference", "look_s", "1");
    instance.set("io.isle.inference", "looks", "1");
    instance.set("io.isle.inference", "window_outcomes", "50");
  }

  @AfterAll
  static void stop() {
    instance.isle("stop").succeeded();
  }

  /** A file comes into {@code deploy} as a whole. */
  private static Path deploy(Path model) throws IOException {
    Path beside = Files.copy(model, instance.folder().resolve("model.part"));
    return Files.move(
        beside, instance.folder().resolve("deploy/time.islemodel"), StandardCopyOption.ATOMIC_MOVE);
  }

  @Test
  void aFileInDeployServesUntilItGoesAndSoDoesAKey() throws Exception {
    Path old = instance.same(++serial);
    Awaiting.await("the decision has its owner", () -> instance.serial() == -1);
    Path deployed = deploy(instance.same(++serial));
    Awaiting.await("the model serves", () -> instance.serial() == serial);
    assertEquals("active", instance.info().get("state").asText());
    Platform.Result refused = instance.isle("model", "load", old.toString()).failed(1);
    assertTrue(refused.err().contains("OLD_SERIAL"), refused.err());

    instance.distrust();
    Awaiting.await("the model is out", () -> instance.reason().equals("signature_failed"));
    assertTrue(instance.info().get("require_admin_reset").asBoolean());
    refused = instance.isle("model", "load", old.toString()).failed(1);
    assertTrue(refused.err().contains("NO_TRUSTED_KEY"), refused.err());
    instance.trust();
    Awaiting.await(
        "the model is back", () -> instance.sh("model:reset submission_time").code() == 0);
    assertEquals("active", instance.info().get("state").asText());

    Files.delete(deployed);
    Awaiting.await("the model goes", () -> instance.serial() == -1);
    String audit = instance.sh("audit:tail -n 200").succeeded().out();
    for (String action :
        List.of("model.load", "inference.entered", "model.reset", "model.unload")) {
      assertTrue(audit.contains(action), () -> action + " in " + audit);
    }
  }

  /** A drift, and what was disabled, stay; a file that goes meanwhile takes its model along. */
  @Test
  void aWrongModelIsDisabledByDriftAndStaysSoOverRestarts() throws Exception {
    Path deployed = deploy(instance.constant(++serial, SECOND));
    Awaiting.await("the model serves", () -> instance.serial() == serial);
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
    String log = Files.readString(instance.folder().resolve("data/log/karaf.log"));
    assertTrue(
        log.contains("ISLE-INFERENCE: model=submission_time event=entered reason=drift"), log);

    restart();
    Awaiting.await("the model is proven again", () -> instance.serial() == serial);
    assertEquals("drift", instance.reason());
    assertEquals("0", instance.info().get("active").asText());
    instance.sh("model:reset submission_time").succeeded();
    assertEquals("", instance.reason());
    assertEquals("1", instance.info().get("active").asText());
    assertEquals(groupAndModel, instance.audited("inference.admin_reset"));

    instance.sh("model:disable submission_time").succeeded();
    instance.isle("stop").succeeded();
    Files.delete(deployed);
    instance.isle("start").succeeded();
    Awaiting.await(
        "the model has gone with its file",
        () ->
            instance.audited("model.unload").contains("submission_time")
                && instance.serial() == -1);
    assertEquals("model_disabled", instance.reason());
    instance.sh("model:rollback submission_time").succeeded();
    instance.sh("model:enable submission_time").succeeded();
    assertEquals("1", instance.info().get("active").asText());
    instance.sh("model:unload submission_time").succeeded();
  }

  private static void restart() {
    instance.isle("stop").succeeded();
    instance.isle("start").succeeded();
  }

  /** Submissions whose outcomes the engine sees, again and again; some are captured. */
  private void workUntilDrift() throws Exception {
    Path input = Files.write(folder.resolve("input"), Blocks.random(60 * Blocks.BLOCK));
    Path csv = folder.resolve("decisions.csv");
    Call capture =
        instance.begin(
            "sh", "model:capture submission_time --out '" + csv + "' --records 20 --seconds 60");
    Awaiting.await("the capture begins", () -> Files.exists(csv));
    for (int job = 0; job < JOBS && !instance.reason().equals("drift"); job++) {
      instance.isle("run", Blocks.JOB, "--set", "input=" + input).succeeded();
    }
    assertEquals("drift", instance.reason(), () -> "after " + JOBS + " jobs");
    capture.end().succeeded();
    List<String> lines = Files.readAllLines(csv);
    assertTrue(lines.getFirst().startsWith("group,by,program,"), lines.getFirst());
    assertEquals(21, lines.size());
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(csv)));
  }
}
