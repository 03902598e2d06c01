package io.isle.apps.jobs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.api.jobs.JobResult;
import io.isle.apps.jobs.data.Npy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The formats of files that go through in pieces. */
@Timeout(60)
class StreamedFilesTest {
  @TempDir Path folder;

  /** So small that inputs of a hundred kilobytes go through in many pieces. */
  private final Harness harness = new Harness(100_000);

  @Test
  void npyFilesStreamInAndOut() throws Exception {
    float[] values = Numbers32.count(60_000);
    Files.write(folder.resolve("x.npy"), Numbers32.npy(List.of(60_000L), values));
    String step =
        """
        - program: scale-f32
          stream: n
          in: {x: {file: x.npy, type: f32, shape: [n]}}
          out: {y: {file: y.npy, type: f32, shape: [n], expect: {file: want.npy}}}
          args: [2, n]
        """;
    float[] doubled = values.clone();
    for (int i = 0; i < doubled.length; i++) {
      doubled[i] *= 2;
    }
    byte[] expected = Numbers32.npy(List.of(60_000L), doubled);
    Files.write(folder.resolve("want.npy"), expected);
    run(step);
    assertArrayEquals(expected, Files.readAllBytes(folder.resolve("y.npy")));
    doubled[50_000] = 99;
    Files.write(folder.resolve("want.npy"), Numbers32.npy(List.of(60_000L), doubled));
    Files.delete(folder.resolve("y.npy"));
    fails(step, "y[50000] is 6.0, expected 99.0");
    assertEquals(List.of("job.yml", "want.npy", "x.npy"), harness.names(folder));
  }

  @Test
  void theShapeOfAnNpyOutputIsKnownAtTheEnd() throws Exception {
    Files.write(folder.resolve("a.data"), BlockhashTest.random(100_001));
    Path fifo = folder.resolve("a");
    assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
    Process cat =
        new ProcessBuilder("sh", "-c", "cat '" + folder + "/a.data' > '" + fifo + "'").start();
    run(
        """
        - program: copy
          stream: n
          in: {a: {file: a, type: u8, shape: [n]}}
          out: {b: {file: b.npy, type: u8, shape: [n]}}
        """);
    assertEquals(0, cat.waitFor());
    byte[] file = Files.readAllBytes(folder.resolve("b.npy"));
    ByteBuffer bytes = ByteBuffer.wrap(file);
    Npy.Header header =
        Npy.read(
            into -> {
              int count = into.remaining();
              into.put(bytes.slice(bytes.position(), count));
              bytes.position(bytes.position() + count);
              return count;
            });
    assertEquals(List.of(100_001L), header.shape());
    assertEquals(header.bytes() + 100_001, file.length);
  }

  private void fails(String steps, String message) throws IOException {
    var ignored = harness.failed(folder, steps, message);
  }

  private JobResult run(String steps) throws IOException {
    return harness.done(folder, steps);
  }
}
