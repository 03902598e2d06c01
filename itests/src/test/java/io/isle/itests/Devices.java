package io.isle.itests;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Devices of the shared instance, as the shell shows them, and their settings files. */
final class Devices {
  private Devices() {}

  /** {@code device:info ID --json}. */
  static JsonNode info(String id) throws IOException {
    return Platform.sh("device:info " + id, "--json").succeeded().json();
  }

  static boolean exists(String id) throws IOException {
    for (JsonNode device : Platform.sh("device:list", "--json").succeeded().json()) {
      if (device.get("id").asText().equals(id)) {
        return true;
      }
    }
    return false;
  }

  static void awaitState(String id, String state) throws InterruptedException {
    Awaiting.await(id + " is " + state, () -> info(id).get("state").asText().equals(state));
  }

  /** Writes a settings file beside and renames it into place. */
  static void configure(String id, String... lines) throws IOException {
    Path beside = Platform.folder().resolve("settings.new");
    Files.writeString(beside, String.join("\n", lines) + "\n");
    Files.move(beside, settings(id), StandardCopyOption.ATOMIC_MOVE);
  }

  static Path settings(String id) {
    return Platform.folder().resolve("etc/io.isle.device-" + id + ".cfg");
  }
}
