package io.isle.apps.jobs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.JobState;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Steps whose buffers have names, in pieces. */
@Timeout(60)
class StreamedStepTest {
  private static final String ADD =
      """
      - name: add
        program: add-u8
        stream: n
        in:
          a: {file: a, type: u8, shape: [n]}
          b: {file: b, type: u8, shape: [n]}
        out:
          sum: {file: sum, type: u8, shape: [n]}
        args: [n]
      """;

  @TempDir Path folder;

  /** So small that inputs of a hundred kilobytes go through in many pieces. */
  private final Harness harness = new Harness(100_000);

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4096, 250_000})
  void severalInputsGoThroughInStepWithEachOther(int size) throws Exception {
    byte[] a = write("a", size, 1);
    byte[] b = write("b", size, 2);
    JobResult result = run(ADD);
    assertArrayEquals(sum(a, b), Files.readAllBytes(folder.resolve("sum")));
    assertEquals(2L * size, result.bytes());
    assertEquals(size, result.blocks());
    int pieces = (int) result.steps().getFirst().pieces();
    assertTrue(size < 100_000 || pieces > 5, result.steps()::toString);
  }

  private byte[] write(String name, int size, long seed) throws IOException {
    byte[] data = new byte[size];
    new Random(seed).nextBytes(data);
    Files.write(folder.resolve(name), data);
    return data;
  }

  private static byte[] sum(byte[] a, byte[] b) {
    byte[] sum = new byte[a.length];
    for (int i = 0; i < sum.length; i++) {
      sum[i] = (byte) (a[i] + b[i]);
    }
    return sum;
  }

  @Test
  void inputsOfDifferentLengthAreAnError() throws Exception {
    write("a", 200_000, 1);
    write("b", 200_001, 2);
    fails(ADD, "in.b: 'n' is 200001 here and 200000 in a");
    assertEquals(List.of("a", "b", "job.yml"), harness.names(folder));
  }

  @Test
  void fifosNeedNoSize() throws Exception {
    byte[] a = write("a", 200_000, 1);
    byte[] b = write("b.data", 200_000, 2);
    Path fifo = folder.resolve("b");
    assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
    Process cat =
        new ProcessBuilder("sh", "-c", "cat '" + folder + "/b.data' > '" + fifo + "'").start();
    run(ADD);
    assertEquals(0, cat.waitFor());
    assertArrayEquals(sum(a, b), Files.readAllBytes(folder.resolve("sum")));
  }

  @Test
  void aFifoThatIsShorterIsAnErrorThatNamesIt() throws Exception {
    write("a", 200_000, 1);
    write("b.data", 199_999, 2);
    Path fifo = folder.resolve("b");
    assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
    Process cat =
        new ProcessBuilder("sh", "-c", "cat '" + folder + "/b.data' > '" + fifo + "'").start();
    fails(ADD, "differs in length from input ");
    assertEquals(0, cat.waitFor());
    assertEquals(List.of("a", "b", "b.data", "job.yml"), harness.names(folder));
  }

  @Test
  void anInputThatChangesMeanwhileIsAnError() throws Exception {
    write("a", 250_000, 1);
    write("b", 250_000, 2);
    harness.device.gate = new CountDownLatch(1);
    CompletableFuture<JobResult> running =
        harness.begin(Harness.job(folder, ADD), folder.toAbsolutePath(), Map.of());
    assertTrue(harness.device.reached.await(20, TimeUnit.SECONDS));
    Files.write(folder.resolve("b"), new byte[1], StandardOpenOption.APPEND);
    harness.device.gate.countDown();
    JobResult result = running.get(20, TimeUnit.SECONDS);
    assertTrue(result.error().contains("changed while it was read"), result.error());
    assertEquals(List.of("a", "b", "job.yml"), harness.names(folder));
    harness.assertNothingLeft();
  }

  @Test
  void anInputThatIsCutShortMeanwhileIsAnError() throws Exception {
    write("a", 20_000_000, 1);
    write("b", 20_000_000, 2);
    harness.device.gate = new CountDownLatch(1);
    CompletableFuture<JobResult> running =
        harness.begin(Harness.job(folder, ADD), folder.toAbsolutePath(), Map.of());
    assertTrue(harness.device.reached.await(20, TimeUnit.SECONDS));
    try (FileChannel b = FileChannel.open(folder.resolve("b"), StandardOpenOption.WRITE)) {
      assertEquals(1000, b.truncate(1000).size());
    }
    harness.device.gate.countDown();
    JobResult result = running.get(20, TimeUnit.SECONDS);
    assertTrue(result.error().contains("became shorter while it was read"), result.error());
    assertEquals(List.of("a", "b", "job.yml"), harness.names(folder));
    harness.assertNothingLeft();
  }

  @Test
  void aFullDiskIsAClearError() throws Exception {
    Path full = Path.of("/dev/full");
    org.junit.jupiter.api.Assumptions.assumeTrue(Files.isWritable(full));
    write("a", 250_000, 1);
    write("b", 250_000, 2);
    fails(ADD.replace("file: sum", "file: /dev/full"), "No space left on device");
  }

  @Test
  void theNextPieceIsOnItsWayWhileOneIsComputed() throws Exception {
    write("a", 250_000, 1);
    write("b", 250_000, 2);
    harness.device.gate = new CountDownLatch(1);
    CompletableFuture<JobResult> running =
        harness.begin(Harness.job(folder, ADD), folder.toAbsolutePath(), Map.of());
    assertTrue(harness.device.reached.await(20, TimeUnit.SECONDS));
    // The first is held on the device; two more were transferred and submitted behind it.
    Harness.until(() -> harness.device.submitted.get() == 3);
    harness.device.gate.countDown();
    assertEquals(JobState.DONE, running.get(20, TimeUnit.SECONDS).state());
  }

  @Test
  void rowsAreNeverCutApart() throws Exception {
    byte[] a = write("a", 150_000, 1);
    run(
        """
        - program: sha256
          stream: n
          in: {a: {file: a, type: u8, shape: [n, 50]}}
          out: {hashes: {file: hashes, type: u8, shape: [n, 32]}}
          args: [50]
        """);
    byte[] hashes = Files.readAllBytes(folder.resolve("hashes"));
    assertEquals(150_000 / 50 * 32, hashes.length);
    for (int row = 0; row < 3000; row++) {
      byte[] wanted =
          java.security.MessageDigest.getInstance("SHA-256")
              .digest(Arrays.copyOfRange(a, 50 * row, 50 * row + 50));
      assertArrayEquals(wanted, Arrays.copyOfRange(hashes, 32 * row, 32 * row + 32));
    }
  }

  /** The rows of one matrix go through in pieces, the other stays; also over crashes. */
  @ParameterizedTest
  @ValueSource(strings = {"", "CRASH", "GONE"})
  void aConstantIsTheSameForEachPiece(String event) throws Exception {
    int rows = 9_000;
    Files.write(
        folder.resolve("a.npy"),
        Numbers32.npy(List.of((long) rows, 3L), Numbers32.count(3 * rows)));
    if (!event.isEmpty()) {
      harness.device.plan.at(2, FakePlan.Event.valueOf(event));
    }
    JobResult result =
        run(
            """
            - program: matmul-f32
              stream: m
              in:
                A: {file: a.npy, type: f32, shape: [m, k]}
                B: {values: [1, 0, 0, 2, 0.5, 1], type: f32, shape: [k, 2]}
              out: {C: {file: c.npy, type: f32, shape: [m, 2]}}
              args: [m, 2, k]
            """);
    float[] a = Numbers32.count(3 * rows);
    float[] c = new float[2 * rows];
    for (int i = 0; i < rows; i++) {
      c[2 * i] = a[3 * i] + 0.5f * a[3 * i + 2];
      c[2 * i + 1] = 2 * a[3 * i + 1] + a[3 * i + 2];
    }
    assertArrayEquals(
        Numbers32.npy(List.of((long) rows, 2L), c), Files.readAllBytes(folder.resolve("c.npy")));
    assertTrue(result.steps().getFirst().pieces() > 2, result.steps()::toString);
    assertEquals(event.isEmpty(), result.survival().retries() == 0);
  }

  /** What was stopped on its way is computed from what was read, not from what it had become. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void aPieceThatIsChangedInPlaceIsLoadedAgainWhenItWasStopped(int submission) throws Exception {
    float[] numbers = Numbers32.count(60_000);
    Files.write(folder.resolve("x"), Numbers32.raw(numbers));
    harness.device.plan.at(submission, FakePlan.Event.STOPPED);
    JobResult result =
        run(
            """
            - program: scale-f32
              stream: n
              in: {x: {file: x, type: f32, shape: [n]}}
              out: {x: {file: y}}
              args: [x, 2, x, n]
            """);
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] *= 2;
    }
    assertArrayEquals(Numbers32.raw(numbers), Files.readAllBytes(folder.resolve("y")));
    assertEquals(1, result.survival().retries());
    assertEquals(0, result.survival().recoveries());
  }

  /** Which of the constants stands first does not matter. */
  @Test
  void aRawConstantTakesItsExtentsFromAnotherOneBehindIt() throws Exception {
    Files.write(folder.resolve("a"), Numbers32.raw(1, 2, 3, 4));
    Files.write(folder.resolve("b"), Numbers32.raw(1, 2, 3, 4, 5, 6));
    Files.write(folder.resolve("k.npy"), Numbers32.npy(List.of(2L, 3L), new float[6]));
    fails(
        """
        - program: matmul-f32
          stream: m
          in:
            b: {file: b, type: f32, shape: [k, n]}
            shape: {file: k.npy, shape: [k, n]}
            a: {file: a, type: f32, shape: [m, k]}
          out: {c: {file: c, type: f32, shape: [m, n]}}
          args: [a, b, c, m, n, k]
        """,
        "takes 3 buffers; the step has 4");
  }

  private void fails(String steps, String message) throws IOException {
    var ignored = harness.failed(folder, steps, message);
  }

  private JobResult run(String steps) throws IOException {
    return harness.done(folder, steps);
  }
}
