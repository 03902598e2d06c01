package io.isle.apps.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.jobs.JobException;
import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.JobState;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The shipped example on a device of the test. */
class BlockhashTest {
  private static final int MIB = 1 << 20;
  private static final Path JOB = Path.of("../../../examples/blockhash/job.yml").toAbsolutePath();

  @TempDir Path folder;

  private final Harness harness = new Harness(64L << 20);

  @ParameterizedTest
  @ValueSource(ints = {0, 1, MIB - 1, MIB, MIB + 1, 8 * MIB, 8 * MIB + 1, 33 * MIB + 17})
  void printsWhatMessageDigestComputes(int size) throws Exception {
    byte[] data = random(size);
    Files.write(folder.resolve("in put"), data);
    JobResult result =
        harness.run(JOB, folder, Map.of("input", "in put", "print", "true", "output", "out"));
    assertEquals(JobState.DONE, result.state(), result.error());
    assertEquals(expected(data), harness.printed());
    assertEquals(expected(data), Files.readString(folder.resolve("out")));
    assertEquals(size, result.bytes());
    assertEquals(Math.ceilDiv(size, MIB), result.blocks());
    assertEquals("fake0", result.device());
    assertTrue(result.claims().getFirst().holds());
    assertEquals(List.of("in put", "out"), harness.names(folder));
    harness.assertNothingLeft();
  }

  @Test
  void streamsThroughDeviceMemoryOfALittleMoreThanABlock() throws Exception {
    Harness small = new Harness(MIB + 64 * 1024);
    byte[] data = random(5 * MIB + 3);
    Files.write(folder.resolve("in"), data);
    small.run(JOB, folder, Map.of("input", "in", "print", "true"));
    assertEquals(expected(data), small.printed());
    small.assertNothingLeft();
  }

  @Test
  void tooLittleDeviceMemoryIsAClearError() throws Exception {
    Harness small = new Harness(MIB / 2);
    Files.write(folder.resolve("in"), random(MIB));
    JobResult result = small.run(JOB, folder, Map.of("input", "in"));
    assertEquals(1, result.exitStatus());
    assertTrue(result.error().contains("a block of 1048576 bytes"), result.error());
  }

  @Test
  void readsAFifo() throws Exception {
    Path fifo = folder.resolve("fifo");
    assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
    byte[] data = random(9 * MIB + 5);
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  try (OutputStream out = Files.newOutputStream(fifo)) {
                    for (int at = 0; at < data.length; at += 70_000) {
                      out.write(data, at, Math.min(70_000, data.length - at));
                    }
                  } catch (java.io.IOException e) {
                    throw new java.io.UncheckedIOException(e);
                  }
                });
    JobResult result = harness.run(JOB, folder, Map.of("input", "fifo", "print", "true"));
    writer.join();
    assertEquals(JobState.DONE, result.state(), result.error());
    assertEquals(expected(data), harness.printed());
  }

  @Test
  void readsFilesOfTheKernelWhoseSizeIsZero() {
    JobResult result = harness.run(JOB, folder, Map.of("input", "/proc/version", "print", "true"));
    assertEquals(JobState.DONE, result.state(), result.error());
    assertEquals(1, result.blocks());
  }

  @Test
  void missingInputIsExitOneAndUnknownParametersAreExitTwo() {
    JobException missing =
        assertThrows(
            JobException.class, () -> harness.run(JOB, folder, Map.of("input", "nothing")));
    assertEquals(1, missing.exitStatus());
    assertTrue(missing.getMessage().contains("no such file"), missing.getMessage());
    JobException unknown =
        assertThrows(JobException.class, () -> harness.run(JOB, folder, Map.of("inptu", "x")));
    assertEquals(2, unknown.exitStatus());
    assertTrue(unknown.getMessage().contains("input (file), print (bool)"), unknown.getMessage());
    JobException type =
        assertThrows(
            JobException.class,
            () -> harness.run(JOB, folder, Map.of("input", "x", "print", "yes")));
    assertEquals(2, type.exitStatus());
  }

  @Test
  void anOutputThatIsTheInputIsRefused() throws Exception {
    byte[] data = random(100);
    Files.write(folder.resolve("in"), data);
    assertThrows(
        JobException.class,
        () -> harness.run(JOB, folder, Map.of("input", "in", "output", "./in")));
    assertArrayEquals(data, Files.readAllBytes(folder.resolve("in")));
    assertFalse(Files.exists(folder.resolve("out")));
  }

  static byte[] random(int size) {
    byte[] data = new byte[size];
    new Random(size).nextBytes(data);
    return data;
  }

  static String expected(byte[] data) throws Exception {
    return expected(data, MIB);
  }

  static String expected(byte[] data, int block) throws Exception {
    StringBuilder lines = new StringBuilder();
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    for (int at = 0, index = 0; at < data.length; at += block, index++) {
      digest.update(data, at, Math.min(block, data.length - at));
      lines
          .append(HexFormat.of().formatHex(digest.digest()))
          .append("  ")
          .append(index)
          .append('\n');
    }
    return new String(lines.toString().getBytes(UTF_8), UTF_8);
  }
}
