package io.isle.apps.jobs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.jobs.JobResult;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streamed steps whose pieces are compared, and those that take what an earlier step made. */
@Timeout(60)
class StreamedReferenceTest {
  private static final int ROWS = 9_000;

  private static final String SCALE =
      """
      - program: scale-f32
        stream: n
        in: {x: {file: x, type: f32, shape: [n]}}
        out: {y: {file: y, type: f32, shape: [n], expect: {value: %s}}}
        args: [2, n]
      """;

  private static final String MULTIPLY =
      """
      - name: make
        program: scale-f32
        in: {b: {values: [1, 0, 0, 2, 0.5, 1], type: f32, shape: [k, 2]}}
        out: {B: {type: f32, shape: [k, 2]}}
        args: [2, k * 2]
      - program: matmul-f32
        stream: m
        in:
          A: {file: a.npy, type: f32, shape: [m, k]}
          B: {from: make.B, shape: [k, 2]}
        out: {C: {file: c.npy, type: f32, shape: [m, 2]%s}}
        args: [m, 2, k]
      - program: copy
        in: {B: {from: make.B, shape: [k, 2]}}
        out: {again: {file: b, type: f32, shape: [k, 2]}}
      """;

  @TempDir Path folder;

  /** So small that inputs of a hundred kilobytes go through in many pieces. */
  private final Harness harness = new Harness(100_000);

  @Test
  void aFormulaIsComparedElementByElement() throws Exception {
    Files.write(folder.resolve("x"), Numbers32.raw(Numbers32.count(60_000)));
    JobResult result = harness.done(folder, SCALE.formatted("x + x, absolute: 0.25"));
    assertTrue(result.steps().getFirst().pieces() > 2, result.steps()::toString);
    harness.done(folder, SCALE.formatted("2 * x + 0.25, absolute: 0.25"));
    fails(
        SCALE.formatted("2 * x + 1, relative: 0.1"),
        "y[0] is -6.0, expected -5.0 (difference 1.00000; allowed: 0 + 0.100000 * |expected|)");
    harness.device.spoils = true;
    fails(SCALE.formatted("2 * x"), "the output differs: y[0] is ");
  }

  @Test
  void aDifferenceInALaterPieceHasItsPlaceInTheWhole() throws Exception {
    float[] numbers = new float[60_000];
    java.util.Arrays.fill(numbers, 1);
    numbers[50_000] = 0;
    Files.write(folder.resolve("x"), Numbers32.raw(numbers));
    fails(SCALE.formatted("2 * x + 0 / x"), "y[50000] is 0.0, expected NaN");
    assertFalse(Files.exists(folder.resolve("y")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ", expect: {file: want.npy}"})
  void aMatrixOfAnEarlierStepIsAConstant(String expect) throws Exception {
    matrix();
    JobResult result = harness.done(folder, MULTIPLY.formatted(expect));
    assertProduct();
    long pieces = result.steps().get(1).pieces();
    assertEquals(1 + pieces + 1, harness.device.submissions.get(), "nothing is made twice");
  }

  /** What is made again for the second step needs the program of the first. */
  @ParameterizedTest
  @ValueSource(strings = {"CRASH", "GONE"})
  void itIsMadeAgainAfterACrash(String event) throws Exception {
    matrix();
    harness.device.plan.at(3, FakePlan.Event.valueOf(event));
    JobResult result = harness.done(folder, MULTIPLY.formatted(", expect: {file: want.npy}"));
    assertProduct();
    assertTrue(result.survival().retries() > 0, result.survival()::toString);
  }

  private void matrix() throws IOException {
    Files.write(
        folder.resolve("a.npy"),
        Numbers32.npy(List.of((long) ROWS, 3L), Numbers32.count(3 * ROWS)));
    Files.write(folder.resolve("want.npy"), product());
  }

  private static byte[] product() {
    float[] a = Numbers32.count(3 * ROWS);
    float[] c = new float[2 * ROWS];
    for (int i = 0; i < ROWS; i++) {
      c[2 * i] = 2 * a[3 * i] + a[3 * i + 2];
      c[2 * i + 1] = 4 * a[3 * i + 1] + 2 * a[3 * i + 2];
    }
    return Numbers32.npy(List.of((long) ROWS, 2L), c);
  }

  private void assertProduct() throws IOException {
    assertArrayEquals(product(), Files.readAllBytes(folder.resolve("c.npy")));
    assertArrayEquals(Numbers32.raw(2, 0, 0, 4, 1, 2), Files.readAllBytes(folder.resolve("b")));
  }

  @Test
  void anEarlierStepsTypeMustFit() throws Exception {
    matrix();
    fails(
        MULTIPLY.formatted("").replace("{from: make.B, shape", "{from: make.B, type: u32, shape"),
        "in.B: has elements of f32; the job file gives u32");
  }

  /** Pieces are planned with the memory that a large constant leaves. */
  @Test
  void aLargeConstantLeavesRoomForPieces() throws Exception {
    matrix();
    Files.write(folder.resolve("b"), new byte[12 * 6_000]);
    JobResult result =
        harness.done(
            folder,
            """
            - program: matmul-f32
              stream: m
              in:
                A: {file: a.npy, type: f32, shape: [m, k]}
                B: {file: b, type: f32, shape: [k, 6000]}
              out: {C: {type: f32, shape: [m, 1]}}
              args: [1, 1, k]
            """);
    assertTrue(result.steps().getFirst().pieces() > 2, result.steps()::toString);
  }

  @Test
  void sortedPiecesAreComparedBeforeTheyAreMerged() throws Exception {
    float[] numbers = Numbers32.count(60_000);
    java.util.Arrays.sort(numbers);
    Files.write(folder.resolve("data"), Numbers32.raw(numbers));
    String sort =
        """
        - program: sort
          stream: n
          in: {data: {file: data, type: f32, shape: [n]}}
          out: {data: {file: sorted, merge: ascending, expect: {value: data}}}
          args: [data, data.kind]
        """;
    harness.done(folder, sort);
    harness.device.spoils = true;
    fails(sort, "the output differs: data[0] is ");
  }

  @Test
  void aRowThatIsNoBufferIsAClearError() throws Exception {
    try (FileChannel file =
        FileChannel.open(
            folder.resolve("x"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      assertEquals(1, file.write(ByteBuffer.wrap(new byte[1]), 1_999_999_999));
    }
    fails(
        """
        - program: copy
          stream: n
          in: {x: {file: x, type: u8, shape: [n, 2000000000]}}
          out: {y: {type: u8, shape: [n, 2000000000]}}
        """,
        "a block or row has 2000000000 bytes; the limit of a step that works in pieces is"
            + " 1073741824");
    fails(
        "- {program: sha256, in: x, args: [4GiB], out: y}",
        "a block or row has 4294967296 bytes; the limit of a step that works in pieces is"
            + " 1073741824");
  }

  private void fails(String steps, String message) throws IOException {
    var ignored = harness.failed(folder, steps, message);
  }
}
