package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The example job through the whole path: launcher, tenant, core, driver host. */
@ExtendWith(Platform.class)
class BlockhashIT {
  private static final int BLOCK = Blocks.BLOCK;
  private static final String JOB = Blocks.JOB;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, BLOCK, BLOCK + 1, 5 * BLOCK + 4097})
  void theHashesAreThoseOfTheFile(int size) throws Exception {
    byte[] bytes = Blocks.random(size);
    Path input = Files.write(folder.resolve("a file"), bytes);
    Platform.Result result =
        Platform.isle("run", JOB, "--set", "input=" + input, "--set", "print=true");
    assertEquals(Blocks.expected(bytes), Blocks.printed(result.succeeded()));
  }

  @Test
  void theResultIsOneJsonDocument() throws Exception {
    Path input = Files.writeString(folder.resolve("text"), "hello");
    JsonNode result =
        Platform.isle("run", JOB, "--set", "input=" + input, "--json").succeeded().json();
    assertEquals("blockhash", result.get("job").asText());
    assertEquals(5, result.get("bytes").asLong());
    assertTrue(result.get("claims").isArray());
  }

  @Test
  void aMissingInputFailsAndAnUnknownKeyIsWrongUsage() {
    Platform.isle("run", JOB, "--set", "input=/nowhere/at/all").failed(1);
    Platform.isle("run", JOB, "--set", "colour=red").failed(2);
    Platform.isle("run", "/nowhere/job.yml").failed(1);
  }
}
