package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Platform.class)
class BundlesIT {
  @Test
  void everyBundleIsActive() {
    String bundles = Platform.sh("bundle:list -t 0 -s --no-format").succeeded().out();
    List<String> idle =
        bundles
            .lines()
            .skip(1)
            .filter(line -> !line.isBlank() && !line.contains("Active"))
            .filter(line -> !line.contains("Resolved") || line.contains("io.isle"))
            .toList();
    assertEquals(List.of(), idle);
  }

  @Test
  void whatIsNoBundleIsToldInLogAndAudit() throws Exception {
    Path log = Platform.folder().resolve("data/log/karaf.log");
    Path junk = Platform.folder().resolve("deploy/junk.jar");
    try {
      Files.writeString(junk, "no jar");
      Awaiting.await(
          "the refusal is written down",
          () ->
              Platform.sh("audit:tail --action deploy.refuse", "--json")
                  .succeeded()
                  .out()
                  .contains("\"object\":\"deploy/junk.jar\",\"outcome\":\"EINVAL\""));
      assertTrue(
          Files.readString(log)
              .contains("deploy/junk.jar is not installed: the file cannot be read as a jar"));
    } finally {
      Files.delete(junk);
    }
  }

  @Test
  void theLogHasNoError() throws IOException {
    try (Stream<String> log = Files.lines(Platform.folder().resolve("data/log/karaf.log"))) {
      assertEquals(List.of(), log.filter(line -> line.contains("| ERROR |")).toList());
    }
  }
}
