package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Files of devices are followed while the platform runs. */
@ExtendWith(Platform.class)
class DeviceFilesIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @AfterEach
  void remove() throws IOException {
    Files.deleteIfExists(file("sim7"));
    Files.deleteIfExists(file("soft7"));
    until("device:list --json", list -> find(list, "sim7") == null && find(list, "soft7") == null);
  }

  @Test
  void droppedEditedWellAndBadlyAndDeleted() throws IOException {
    drop("sim7", "driver = sim\nlatency_ns = 1000\n");
    until("device:list --json", list -> is(find(list, "sim7"), "state", "active"));
    drop("sim7", "driver = sim\nlatency_ns = 2000\n");
    until("device:info sim7 --json", info -> latency(info).equals("2000"));
    drop("sim7", "driver = sim\nlatency_ns = fast\n");
    JsonNode info =
        until("device:info sim7 --json", now -> now.path("error").asText().contains("latency_ns"));
    assertTrue(info.path("error").asText().contains("'fast' is not a number"), info::toString);
    assertEquals("active", info.path("state").asText());
    assertEquals("2000", latency(info));
    drop("sim7", "driver = sim\nlatency_ns = 3000\n");
    until(
        "device:info sim7 --json",
        now -> latency(now).equals("3000") && now.path("error").isNull());
  }

  @Test
  void aBadNewFileShowsAFailedDeviceWithTheReason() throws IOException {
    drop("soft7", "driver = soft\ncolour = red\n");
    JsonNode info = until("device:list --json", list -> find(list, "soft7") != null);
    assertEquals("failed", find(info, "soft7").path("state").asText());
    JsonNode failed = Platform.sh("device:info soft7 --json").succeeded().json();
    assertTrue(failed.path("error").asText().startsWith("colour: not a setting of driver"));
  }

  @Test
  void aCommandWritesTheFileAndKeepsItsComments() throws IOException {
    drop("soft7", "# the second one\ndriver = soft\nmemory_bytes = 1m\n");
    until("device:list --json", list -> is(find(list, "soft7"), "state", "active"));
    assertEquals("1048576", memory());
    Platform.sh("device:disable soft7").succeeded();
    String text = Files.readString(file("soft7"));
    assertTrue(text.startsWith("# the second one"), text);
    assertTrue(text.contains("enabled"), text);
    assertEquals("disabled", state());
    Platform.sh("driver:tier soft7 1; device:enable soft7").succeeded();
    assertEquals("active", state());
    assertEquals(1, list().path("tier").asInt());
  }

  @Test
  void wrongSettingsByCommandAreRefusedWithTheKey() throws IOException {
    drop("sim7", "driver = sim\n");
    until("device:list --json", list -> is(find(list, "sim7"), "state", "active"));
    Platform.Result refused = Platform.sh("driver:tier sim7 2").failed(1);
    assertTrue(refused.err().contains("tier: '2' is refused"), refused.err());
    assertEquals("driver = sim\n", Files.readString(file("sim7")));
  }

  private static JsonNode list() throws IOException {
    return find(Platform.sh("device:list --json").succeeded().json(), "soft7");
  }

  private static String state() throws IOException {
    return list().path("state").asText();
  }

  private static String memory() throws IOException {
    return list().path("memory_bytes").asText();
  }

  private static Path file(String id) {
    return Platform.folder().resolve("etc").resolve("io.isle.device-" + id + ".cfg");
  }

  /** As an editor does it: written beside, then renamed. */
  private static void drop(String id, String text) throws IOException {
    Path file = file(id);
    Path beside = Files.writeString(file.resolveSibling("dropped"), text);
    Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  private static JsonNode until(String command, Predicate<JsonNode> done) throws IOException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      Platform.Result result = Platform.sh(command);
      if (result.code() == 0 && done.test(result.json())) {
        return result.json();
      }
      assertTrue(
          System.nanoTime() - deadline < 0, () -> command + " says " + result.out() + result.err());
    }
  }

  private static JsonNode find(JsonNode list, String id) {
    for (JsonNode device : list) {
      if (device.path("id").asText().equals(id)) {
        return device;
      }
    }
    return null;
  }

  private static boolean is(JsonNode device, String field, String value) {
    return device != null && device.path(field).asText().equals(value);
  }

  private static String latency(JsonNode info) {
    return info.path("settings").path("latency_ns").asText();
  }
}
