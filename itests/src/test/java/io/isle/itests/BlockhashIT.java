package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.RandomAccessFile;
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
  private static final long LARGE = 512L << 20;
  private static final long MOST_OF_LARGE = 128L << 20;

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
  void ofALargeFileLittleIsInThePlatformsMemory() throws Exception {
    Path input = folder.resolve("large");
    try (RandomAccessFile file = new RandomAccessFile(input.toFile(), "rw")) {
      file.setLength(LARGE);
    }
    String pid = Platform.isle("status", "--json").succeeded().json().get("pid").asText();
    long before = mapped(pid);
    Call call = Platform.begin("run", JOB, "--set", "input=" + input, "--json");
    long most = 0;
    while (call.process().isAlive()) {
      most = Math.max(most, mapped(pid) - before);
    }
    assertEquals(LARGE, call.end().succeeded().json().get("bytes").asLong());
    assertTrue(most <= MOST_OF_LARGE, Long.toString(most));
  }

  /** Bytes of files that the process has in memory. */
  private static long mapped(String pid) throws IOException {
    return Files.readAllLines(Path.of("/proc", pid, "status")).stream()
        .filter(line -> line.startsWith("RssFile:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
        .findFirst()
        .orElseThrow();
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
