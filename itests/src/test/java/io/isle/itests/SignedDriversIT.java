package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
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

/** A platform that begins to require signatures while drivers work, in an instance of its own. */
@ExtendWith(Platform.class)
class SignedDriversIT {
  private static final String INSTANCE = "signed";
  private static final Path INSTANCE_FOLDER = Platform.STATE.resolve("instances").resolve(INSTANCE);

  private static final Path LOG = INSTANCE_FOLDER.resolve("data/log/karaf.log");

  @TempDir Path folder;

  @AfterEach
  void stop() {
    isle("stop").succeeded();
  }

  @Test
  void theSettingActsOnDriversThatAreThereAndSoDoKeys() throws Exception {
    Path mine = Sdk.copy("native", folder.resolve("mine"));
    Path jar = Sdk.buildNative(mine, "1.0.0");
    String key = folder.resolve("author").toString();
    Sdk.tool("isle-sign", "keys", key).succeeded();
    Sdk.tool("isle-sign", "sign", key + ".key", jar.toString()).succeeded();
    Sdk.delete(INSTANCE_FOLDER);
    isle("start").succeeded();
    deploy(jar);
    Files.writeString(INSTANCE_FOLDER.resolve("etc/io.isle.device-sim0.cfg"), "driver = sim\n");
    Awaiting.await("demo0 is active", () -> state("demo0").equals("active"));
    Awaiting.await("sim0 is active", () -> state("sim0").equals("active"));
    long epoch = device("demo0").get("epoch").asLong();

    Path keys = Files.createDirectories(INSTANCE_FOLDER.resolve("etc/driver-keys"));
    Path trusted = keys.resolve("author.pub");
    Files.copy(Path.of(key + ".pub"), trusted);
    require("required");
    Awaiting.await(
        "soft is refused", () -> errors().contains("signature: the bundle has no signature"));
    Awaiting.await("soft0 has failed", () -> state("soft0").equals("failed"));
    assertEquals("active", state("demo0"));
    assertEquals(epoch, device("demo0").get("epoch").asLong(), "what was signed is left alone");
    assertEquals("active", state("sim0"), "a driver in Java is as trusted as the platform");
    JsonNode refused = json("audit:tail -n 100 --action driver.refuse");
    assertTrue(refused.toString().contains("io.isle.drivers.soft "), refused::toString);
    assertEquals("EACCES", refused.get(0).get("outcome").asText());

    isle("stop").succeeded();
    long before = Files.size(LOG);
    isle("start").succeeded();
    Awaiting.await("demo0 is there again", () -> state("demo0").equals("active"));
    assertTrue(
        errors().contains("signature: the bundle has no signature"), "it holds from the start");
    String log = Files.readString(LOG).substring((int) before);
    assertTrue(log.contains("| driver demo "), log);
    assertFalse(log.contains("| driver soft "), "never bound, not for a moment");

    Files.delete(trusted);
    Awaiting.await("its key is missed", () -> errors().contains("no file of " + keys));
    Awaiting.await("what its driver had found is gone", () -> !devices().contains("demo0"));
    Files.copy(Path.of(key + ".pub"), trusted);
    Awaiting.await("demo0 is back", () -> state("demo0").equals("active"));

    require("off");
    Awaiting.await("soft0 is back", () -> state("soft0").equals("active"));
    assertEquals("", errors());
  }

  private static void require(String value) throws IOException {
    Path file = INSTANCE_FOLDER.resolve("etc/io.isle.drivers.cfg");
    String text =
        Files.readString(file).replaceFirst("(?m)^signatures *=.*$", "signatures = " + value);
    assertTrue(text.contains("signatures = " + value), text);
    Path beside = Files.writeString(INSTANCE_FOLDER.resolve("cfg.part"), text);
    Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void deploy(Path jar) throws IOException {
    Path beside = Files.copy(jar, INSTANCE_FOLDER.resolve("deployed.part"));
    Files.move(beside, INSTANCE_FOLDER.resolve("deploy/demo.jar"), StandardCopyOption.ATOMIC_MOVE);
  }

  /** What drivers were refused for. */
  private static String errors() throws IOException {
    List<String> errors = new ArrayList<>();
    for (JsonNode driver : json("driver:list")) {
      if (!driver.get("error").isNull()) {
        errors.add(driver.get("error").asText());
      }
    }
    return String.join("\n", errors);
  }

  private static List<String> devices() throws IOException {
    return json("device:list").findValuesAsText("id");
  }

  private static JsonNode device(String id) throws IOException {
    return json("device:info " + id);
  }

  private static String state(String id) throws IOException {
    return device(id).get("state").asText();
  }

  private static JsonNode json(String command) throws IOException {
    return isle("sh", command, "--json").succeeded().json();
  }

  private static Platform.Result isle(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--instance", INSTANCE));
    return Call.isle(Map.of(), all).end();
  }
}
