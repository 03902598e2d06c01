package io.isle.apps.jobs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.JobState;
import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.data.Npy;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
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

  private static final String SORT =
      """
      - name: sort
        program: sort
        stream: n
        in: {data: {file: data, type: u32, shape: [n]}}
        out: {data: {file: sorted, merge: ascending}}
        args: [data, data.kind]
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
    fails(ADD, "has another length than input ");
    assertEquals(0, cat.waitFor());
    assertEquals(List.of("a", "b", "b.data", "job.yml"), harness.names(folder));
  }

  @Test
  void piecesAreWholeElements() throws Exception {
    Files.write(folder.resolve("data"), new byte[4001]);
    fails(SORT, "has 4001 bytes, no multiple of the 4 of a row");
  }

  @Test
  void anInputThatChangesMeanwhileIsAnError() throws Exception {
    write("a", 250_000, 1);
    write("b", 250_000, 2);
    harness.device.gate = new CountDownLatch(1);
    CompletableFuture<JobResult> running =
        harness.begin(job(ADD), folder.toAbsolutePath(), Map.of());
    assertTrue(harness.device.reached.await(20, TimeUnit.SECONDS));
    Files.write(folder.resolve("b"), new byte[1], java.nio.file.StandardOpenOption.APPEND);
    harness.device.gate.countDown();
    JobResult result = running.get(20, TimeUnit.SECONDS);
    assertTrue(result.error().contains("changed while it was read"), result.error());
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
        harness.begin(job(ADD), folder.toAbsolutePath(), Map.of());
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
    write("a.data", 100_001, 1);
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

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 5_000, 100_000})
  void whatIsLargerThanTheDeviceIsSortedAndMerged(int count) throws Exception {
    int[] numbers = new Random(count).ints(count).toArray();
    ByteBuffer data = ByteBuffer.allocate(4 * count).order(ByteOrder.LITTLE_ENDIAN);
    data.asIntBuffer().put(numbers);
    Files.write(folder.resolve("data"), data.array());
    run(SORT);
    int[] expected =
        Arrays.stream(numbers).boxed().sorted(Integer::compareUnsigned).mapToInt(i -> i).toArray();
    ByteBuffer wanted = ByteBuffer.allocate(4 * count).order(ByteOrder.LITTLE_ENDIAN);
    wanted.asIntBuffer().put(expected);
    assertArrayEquals(wanted.array(), Files.readAllBytes(folder.resolve("sorted")));
    assertEquals(List.of("data", "job.yml", "sorted"), harness.names(folder));
  }

  @Test
  void piecesThatAreNotSortedAreFoundOut() throws Exception {
    Files.write(folder.resolve("data"), Numbers32.raw(3, 2, 1));
    fails(
        SORT.replace("program: sort", "program: copy")
            .replace("args: [data, data.kind]", "args: [data, other]")
            .replace(
                "{data: {file: data, type: u32, shape: [n]}}",
                "{data: {file: data, type: u32, shape: [n]}}")
            .replace(
                "{data: {file: sorted, merge: ascending}}",
                "{other: {file: sorted, type: u32, shape: [n], merge: ascending}}"),
        "the program gave a piece that is not sorted");
    assertEquals(List.of("data", "job.yml"), harness.names(folder));
  }

  @Test
  void aTypeThatNoProgramKnowsIsNamed() throws Exception {
    Files.write(folder.resolve("data"), new byte[10]);
    fails(SORT.replace("u32", "u16"), "args[1]: data.kind has no value; only u32, i32");
  }

  @Test
  void aDeviceErrorInTheMiddleLeavesNothing() throws Exception {
    Files.write(folder.resolve("data"), new byte[400_000]);
    harness.device.failAt = 5;
    harness.device.failStatus = -Errno.EIO;
    fails(SORT, "(EIO)");
    assertEquals(List.of("data", "job.yml"), harness.names(folder));
  }

  @Test
  void floatsAreMergedInTheTotalOrder() throws Exception {
    ByteArrayOutputStream data = new ByteArrayOutputStream();
    Random random = new Random(7);
    for (int i = 0; i < 40_000; i++) {
      data.writeBytes(Numbers32.raw(Float.intBitsToFloat(random.nextInt())));
    }
    Files.write(folder.resolve("data"), data.toByteArray());
    run(SORT.replace("u32", "f32"));
    java.lang.foreign.MemorySegment sorted =
        java.lang.foreign.MemorySegment.ofArray(Files.readAllBytes(folder.resolve("sorted")));
    assertEquals(160_000, sorted.byteSize());
    for (int i = 1; i < 40_000; i++) {
      assertTrue(
          Long.compareUnsigned(ElementType.F32.key(sorted, i - 1), ElementType.F32.key(sorted, i))
              <= 0);
    }
  }

  private void fails(String steps, String message) throws IOException {
    JobResult result = harness.run(job(steps), folder.toAbsolutePath(), Map.of());
    assertEquals(JobState.FAILED, result.state());
    assertTrue(result.error().contains(message), result.error());
    harness.assertNothingLeft();
  }

  private JobResult run(String steps) throws IOException {
    JobResult result = harness.run(job(steps), folder.toAbsolutePath(), Map.of());
    assertEquals(JobState.DONE, result.state(), result.error());
    harness.assertNothingLeft();
    return result;
  }

  private Path job(String steps) throws IOException {
    return Files.writeString(
        folder.resolve("job.yml"), "job: j\nretries: 3\nsteps:\n" + steps.indent(2));
  }
}
