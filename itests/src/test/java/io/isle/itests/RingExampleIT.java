package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The example of a ring that moves, is divided anew, and fails. */
@Alone("a process is neither found dead nor started within a time where processors are busy")
@ExtendWith(Platform.class)
class RingExampleIT {
  private static final String EXAMPLE = Platform.root().resolve("examples/ring/job.yml").toString();

  @TempDir Path folder;

  @Test
  void theExampleEndsWithTheResultOfTheCpu() throws Exception {
    byte[] bytes = Blocks.random(3_000_001);
    Path input = Files.write(folder.resolve("a file"), bytes);
    Path output = folder.resolve("out");
    Platform.Result result =
        Platform.isle(
            "run", EXAMPLE, "--set", "input=" + input, "--set", "output=" + output, "--json");
    JsonNode job = result.succeeded().json();
    assertArrayEquals(Mix.of(bytes, 8, 24), Files.readAllBytes(output));
    for (JsonNode claim : job.get("claims")) {
      assertTrue(claim.get("holds").asBoolean(), claim::toString);
    }
    String printed = result.err();
    assertTrue(printed.contains("MB/s, longest gap "), printed);
    assertTrue(printed.contains("demo-1 "), printed);
  }
}
