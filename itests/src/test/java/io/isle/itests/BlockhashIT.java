package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The example job through the whole path: launcher, tenant, core, driver host. */
@ExtendWith(Platform.class)
class BlockhashIT {
  private static final int BLOCK = 1 << 20;
  private static final Path JOB = Platform.root().resolve("examples/blockhash/job.yml");

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, BLOCK, BLOCK + 1, 5 * BLOCK + 4097})
  void theHashesAreThoseOfTheFile(int size) throws Exception {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    Path input = Files.write(folder.resolve("a file"), bytes);
    Platform.Result result =
        Platform.isle("run", JOB.toString(), "--set", "input=" + input, "--set", "print=true");
    List<String> lines =
        result.succeeded().out().lines().filter(line -> !line.startsWith("#")).toList();
    assertEquals(expected(bytes), lines);
  }

  @Test
  void theResultIsOneJsonDocument() throws Exception {
    Path input = Files.writeString(folder.resolve("text"), "hello");
    JsonNode result =
        Platform.isle("run", JOB.toString(), "--set", "input=" + input, "--json")
            .succeeded()
            .json();
    assertEquals("blockhash", result.get("job").asText());
    assertEquals(5, result.get("bytes").asLong());
    assertTrue(result.get("claims").isArray());
  }

  @Test
  void aMissingInputFailsAndAnUnknownKeyIsWrongUsage() {
    Platform.isle("run", JOB.toString(), "--set", "input=/nowhere/at/all").failed(1);
    Platform.isle("run", JOB.toString(), "--set", "colour=red").failed(2);
    Platform.isle("run", "/nowhere/job.yml").failed(1);
  }

  private static List<String> expected(byte[] bytes) throws Exception {
    List<String> lines = new ArrayList<>();
    for (int at = 0; at < bytes.length; at += BLOCK) {
      byte[] block = Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + BLOCK));
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(block);
      lines.add(HexFormat.of().formatHex(digest) + "  " + at / BLOCK);
    }
    return lines;
  }
}
