package io.isle.apps.jobs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.apps.jobs.data.ElementType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pieces that are sorted on the device, and merged. */
@Timeout(60)
class SortedPiecesTest {
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

  /** So small that a hundred kilobytes go through in many pieces. */
  private final Harness harness = new Harness(100_000);

  @Test
  void piecesAreWholeElements() throws Exception {
    Files.write(folder.resolve("data"), new byte[4001]);
    fails(SORT, "has 4001 bytes, which is not a multiple of the 4 bytes of a row");
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
    fails(SORT.replace("u32", "u16"), "args[1]: data.kind has no value; .kind exists only for");
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
    var ignored = harness.failed(folder, steps, message);
  }

  private void run(String steps) throws IOException {
    var ignored = harness.done(folder, steps);
  }
}
