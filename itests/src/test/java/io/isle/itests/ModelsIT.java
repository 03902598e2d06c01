package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A model of the scheduler's estimates, in an instance of its own. */
class ModelsIT {
  private static final String INSTANCE = "models";
  private static final Path FOLDER = Platform.STATE.resolve("instances").resolve(INSTANCE);
  private static final String DECISION = "submission_time";
  private static final String SERIAL = "\"serial\": 1,";
  private static final int INPUT = 3_000_000;

  @TempDir Path folder;

  @BeforeEach
  void start() throws Exception {
    Sdk.delete(FOLDER);
    tool("keygen", folder.resolve("author").toString());
    isle("start").succeeded();
  }

  @AfterEach
  void stop() {
    isle("stop").succeeded();
  }

  /** The model of the docs with another serial number, signed. */
  private Path model(int serial) throws IOException {
    String text =
        Files.readString(Platform.root().resolve("docs/models/submission-time.json"))
            .replace(SERIAL, "\"serial\": " + serial + ",");
    Path json = Files.writeString(folder.resolve("m" + serial + ".json"), text);
    Path file = folder.resolve("m" + serial + ".islemodel");
    tool("build", json.toString(), "--out", file.toString());
    tool("sign", file.toString(), folder.resolve("author.key").toString());
    return file;
  }

  private void trust() throws Exception {
    Path keys = Files.createDirectories(FOLDER.resolve("etc/model-keys"));
    Files.copy(folder.resolve("author.pub"), keys.resolve("author.pub"));
  }

  private Path job(String more) throws IOException {
    byte[] bytes = new byte[INPUT];
    new Random(1).nextBytes(bytes);
    Files.write(folder.resolve("input"), bytes);
    return Files.writeString(
        folder.resolve("job.yml"),
        """
        job: checked
        %ssteps:
          - {name: hash, program: sha256, in: input, args: [64KiB], verify: true, repeat: 300}
        """
            .formatted(more));
  }

  @Test
  void aModelServesOverRestartsOfThePlatformAndOfTheEngine() throws Exception {
    Path first = model(1);
    Platform.Result refused = isle("model", "load", first.toString()).failed(1);
    assertTrue(refused.err().contains("NO_TRUSTED_KEY"), refused.err());
    trust();
    Awaiting.await("the key is trusted", () -> isle("model", "load", first.toString()).code() == 0);
    assertEquals("active", info().get("state").asText());

    String job = job("").toString();
    Call run = Call.isle(Map.of(), List.of("run", job, "--json", "--instance", INSTANCE));
    Awaiting.await("the model decides", () -> info().get("invocations").asLong() > 10);
    isle("sh", "bundle:restart io.isle.inference.engine").succeeded();
    Awaiting.await("the model serves again", () -> serial() == 1);
    JsonNode done = run.end().succeeded().json();
    assertEquals("done", done.get("state").asText());
    assertEquals(0, done.get("wrong").asInt());

    Path csv = folder.resolve("decisions.csv");
    Call capture =
        Call.isle(
            Map.of(),
            List.of(
                "sh",
                "model:capture " + DECISION + " --out '" + csv + "' --records 20 --seconds 60",
                "--instance",
                INSTANCE));
    Awaiting.await("the capture begins", () -> Files.exists(csv));
    isle("run", job).succeeded();
    capture.end().succeeded();
    List<String> lines = Files.readAllLines(csv);
    assertTrue(lines.getFirst().startsWith("group,by,program,"), lines.getFirst());
    assertEquals(21, lines.size());
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(csv)));
    Awaiting.await("outcomes are scored", () -> info().get("outcomes").asLong() > 0);

    isle("model", "disable", DECISION).succeeded();
    assertEquals("0", info().get("active").asText());
    isle("stop").succeeded();
    isle("start").succeeded();
    Awaiting.await("the model is there", () -> serial() == 1);
    assertEquals("model_disabled", info().get("fallback_reason").asText());
    isle("model", "enable", DECISION).succeeded();
    assertEquals("1", info().get("active").asText());
  }

  @Test
  void aFileInDeployServesUntilItGoesAndSoDoesAKey() throws Exception {
    trust();
    Path target = FOLDER.resolve("deploy/time.islemodel");
    Path beside = Files.copy(model(2), FOLDER.resolve("model.part"));
    Awaiting.await("the decision has its owner", () -> info().get("state").asText().equals("none"));
    Files.move(beside, target, StandardCopyOption.ATOMIC_MOVE);
    Awaiting.await("the model serves", () -> serial() == 2);
    Platform.Result old = isle("model", "load", model(1).toString()).failed(1);
    assertTrue(old.err().contains("OLD_SERIAL"), old.err());

    Path key = FOLDER.resolve("etc/model-keys/author.pub");
    Files.delete(key);
    Awaiting.await(
        "the model is out",
        () -> info().get("fallback_reason").asText().equals("signature_failed"));
    assertTrue(info().get("require_admin_reset").asBoolean());
    trust();
    Awaiting.await("the model is back", () -> isle("model", "reset", DECISION).code() == 0);
    assertEquals("active", info().get("state").asText());

    Files.delete(target);
    Awaiting.await("the model goes", () -> serial() < 0);
    String audit = isle("sh", "audit:tail -n 200").succeeded().out();
    for (String action :
        List.of("model.load", "inference.entered", "model.reset", "model.unload")) {
      assertTrue(audit.contains(action), () -> action + " in " + audit);
    }
  }

  @Test
  void aJobBringsAModelOfItsOwn() throws Exception {
    model(1);
    String setup =
        """
        setup:
          models:
            submission_time: {file: m1.islemodel, key: author.pub}
        """;
    String job = job(setup).toString();
    Call run = Call.isle(Map.of(), List.of("run", job, "--instance", INSTANCE));
    Awaiting.await("the job's model serves", () -> info().get("of_job").asBoolean());
    run.end().succeeded();
    JsonNode after = info();
    assertFalse(after.get("of_job").asBoolean());
    assertEquals("none", after.get("state").asText());
    String audit = isle("sh", "audit:tail -n 200 --action model.job_end").succeeded().out();
    assertTrue(audit.contains(DECISION), audit);
    assertFalse(isle("run", job, "--as", "manager").code() == 0, "setup is for administrators");
  }

  private static long serial() throws IOException {
    JsonNode model = info().get("model.bin");
    return model.isNull() ? -1 : model.get("serial").asLong();
  }

  private static JsonNode info() throws IOException {
    return isle("sh", "model:info " + DECISION, "--json").succeeded().json();
  }

  private static void tool(String... words) {
    List<String> all = new ArrayList<>(List.of("mltool"));
    all.addAll(List.of(words));
    Platform.Result ignored = Call.isle(Map.of(), all).end().succeeded();
  }

  private static Platform.Result isle(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--instance", INSTANCE));
    return Call.isle(Map.of(), all).end();
  }
}
