package io.isle.apps.jobs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.isle.api.jobs.JobResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What does not fit a step whose buffers have names. */
@Timeout(60)
class NamedStepErrorsTest {
  private static final String REFUSED = "has no elements; a buffer on a device has at least one";

  @TempDir Path folder;

  private final Harness harness = new Harness(1 << 20);

  @Test
  void numbersOfTheJobFileAreChecked() throws Exception {
    String step =
        """
        - program: copy
          in: {x: {values: %s, type: %s, shape: [2]}}
          out: {y: {file: y, type: %s, shape: [2]}}
        """;
    run(step.formatted("[1, -128]", "i8", "i8"));
    assertArrayEquals(new byte[] {1, -128}, Files.readAllBytes(folder.resolve("y")));
    run(step.formatted("[1.5, -2]", "f32", "f32"));
    assertArrayEquals(Numbers32.raw(1.5f, -2), Files.readAllBytes(folder.resolve("y")));
    fails(step.formatted("[1, 256]", "u8", "u8"), "values[1]: 256 is not in 0..255 (u8)");
    fails(step.formatted("[1, 1.5]", "u8", "u8"), "values[1]: '1.5' is not a whole number (u8)");
    fails(step.formatted("[1, 2, 3]", "u8", "u8"), "has 3 values, which do not fill the shape [2]");
  }

  @Test
  void aFifoWhoseSizeIsNeededIsAClearError() throws Exception {
    Path fifo = folder.resolve("x");
    assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    Files.write(fifo, Numbers32.raw(1, 2));
                  } catch (IOException e) {
                    // The reader went: that is what is tested.
                  }
                });
    fails(
        """
        - program: scale-f32
          in: {x: {file: x, type: f32, shape: [n]}}
          out: {y: {type: f32, shape: [n]}}
          args: [2, n]
        """,
        "is a FIFO, whose size is known only at its end");
    writer.join();
  }

  @Test
  void whatDoesNotFitIntoTheDeviceSaysSo() throws Exception {
    try (var file =
        java.nio.channels.FileChannel.open(
            folder.resolve("x"),
            java.nio.file.StandardOpenOption.CREATE,
            java.nio.file.StandardOpenOption.WRITE)) {
      int written = file.write(java.nio.ByteBuffer.wrap(new byte[1]), (2 << 20) - 1);
      assertEquals(1, written);
    }
    String step =
        """
        - program: copy
          in: {x: {file: x, type: u8, shape: [n]}}
          out: {y: {type: u8, shape: [%s]}}
        """;
    fails(step.formatted("n"), "u8 [2097152] does not fit into the device's memory (1048576");
    Files.write(folder.resolve("x"), new byte[600_000]);
    fails(step.formatted("n"), "buffer step0.y of 600000 bytes does not fit");
    fails(step.formatted("n * 1e12"), "must be a whole number from 0 to");
    fails(step.formatted("n / 7"), "n / 7 is 85714.3; the value must be a whole number");
  }

  /** A device has no ranges of no bytes: none reaches a driver, not even as one byte. */
  @Test
  void buffersWithoutElementsAreRefused() throws Exception {
    Files.write(folder.resolve("x"), new byte[0]);
    Files.write(folder.resolve("x.npy"), Numbers32.npy(List.of(0L, 3L)));
    Files.write(folder.resolve("c"), Numbers32.raw(1));
    String step =
        """
        - program: copy
          in: {x: %s}
          out: {y: {file: y, type: f32, shape: [%s]}}
        """;
    fails(step.formatted("{file: x, type: f32, shape: [n]}", "n"), "in.x: f32 [0] " + REFUSED);
    fails(step.formatted("{file: x.npy, shape: [n, m]}", "n, m"), "in.x: f32 [0, 3] " + REFUSED);
    fails(step.formatted("{values: [], type: f32, shape: [n]}", "n"), "in.x: f32 [0] " + REFUSED);
    fails(step.formatted("{file: c, type: f32, shape: [n]}", "n - 1"), "y: f32 [0] " + REFUSED);
    fails(
        """
        - program: add-u8
          stream: n
          in: {x: {file: c, type: u8, shape: [n]}, z: {file: x, type: u8, shape: [m]}}
          out: {y: {file: y, type: u8, shape: [n]}}
          args: [n]
        """,
        "in.z: u8 [0] " + REFUSED);
    assertFalse(Files.exists(folder.resolve("y")));
  }

  @Test
  void argumentsAreCheckedAgainstTheProgram() throws Exception {
    Files.write(folder.resolve("x"), Numbers32.raw(1));
    String step =
        """
        - program: scale-f32
          in: {x: {file: x, type: f32, shape: [n]}}
          out: {y: {type: f32, shape: [n]}}
          args: %s
        """;
    fails(step.formatted("[2]"), "takes 2 args (f32, u64); the step gives 1");
    fails(step.formatted("[y, 2, n, x]"), "args[2]: 'n' is not a buffer");
    fails(step.formatted("[2, n / 3]"), "n / 3 is 0.333333; the value must be a whole number");
    fails(step.formatted("[2, -1]"), "-1 is not in 0..");
    assertEquals(2, fails(step.formatted("[x, y, 2, n]"), "'y' is a buffer").exitStatus());
  }

  private JobResult fails(String steps, String message) throws IOException {
    return harness.failed(folder, steps, message);
  }

  private JobResult run(String steps) throws IOException {
    return harness.done(folder, steps);
  }
}
