package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Power, health and load are told by a bundle of their own, which owns nothing of devices. */
@ExtendWith(Platform.class)
class HealthIT {
  @TempDir Path folder;

  @Test
  void itRestartsAloneAndTellsPowerAgain() throws Exception {
    Devices.awaitState("soft0", "active");
    List<String> errors = errors();
    byte[] bytes = Blocks.random(3 * Blocks.BLOCK);
    Call call;
    try (Feed input = Feed.create(folder.resolve("input"))) {
      call =
          Platform.begin(
              "run",
              Blocks.jobOn("soft0", folder).toString(),
              "--set",
              "input=" + input.path(),
              "--set",
              "print=true");
      input.give(Arrays.copyOf(bytes, Blocks.BLOCK));
      Awaiting.await("the job has contexts", () -> !contexts().isEmpty());
      List<String> before = contexts();
      JsonNode power = power();
      Platform.sh("bundle:restart io.isle.core.health").succeeded();
      Awaiting.await(
          "power is told again", () -> Platform.sh("device:power soft0", "--json").code() == 0);
      assertEquals(power.get("id"), power().get("id"));
      assertFalse(Devices.info("soft0").get("utilisation").isNull());
      assertEquals(before, contexts(), "no context ended with it");
      input.give(Arrays.copyOfRange(bytes, Blocks.BLOCK, bytes.length));
    }
    assertEquals(Blocks.expected(bytes), Blocks.printed(call.end().succeeded()));
    assertEquals(errors, errors());
  }

  private static JsonNode power() throws IOException {
    return Platform.sh("device:power soft0", "--json").succeeded().json().get(0);
  }

  private static List<String> contexts() throws IOException {
    JsonNode all = Platform.sh("accel:contexts soft0", "--json").succeeded().json();
    return StreamSupport.stream(all.spliterator(), false)
        .map(row -> row.get("id").asText())
        .toList();
  }

  private static List<String> errors() throws IOException {
    try (Stream<String> log = Files.lines(Platform.folder().resolve("data/log/karaf.log"))) {
      return log.filter(line -> line.contains("| ERROR |")).toList();
    }
  }
}
