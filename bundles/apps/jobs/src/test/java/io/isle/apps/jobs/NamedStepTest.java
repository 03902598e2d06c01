package io.isle.apps.jobs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.JobState;
import io.isle.api.jobs.StepTimes;
import io.isle.apps.jobs.platform.ArrayBudget;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Steps whose buffers have names, as a whole. */
@Timeout(60)
class NamedStepTest {
  private static final String MULTIPLY =
      """
      - name: multiply
        program: matmul-f32
        in:
          A: {file: a.npy, shape: [m, k]}
          B: {file: b.npy, shape: [k, n]}
        out:
          C: {file: c.npy, type: f32, shape: [m, n], expect: {file: want.npy}}
        args: [m, n, k]
      """;

  @TempDir Path folder;

  private final Harness harness = new Harness(1 << 20);

  @Test
  void anyShapesThatFitTogetherAreMultiplied() throws Exception {
    matrices(3, 4, 5);
    JobResult result = run(MULTIPLY);
    assertEquals(4 * (3 * 4 + 4 * 5), result.bytes());
    assertArrayEquals(
        Files.readAllBytes(folder.resolve("want.npy")),
        Files.readAllBytes(folder.resolve("c.npy")));
  }

  @Test
  void arraysThatAreTooMuchForThePlatformAreRefusedWithTheLimit() throws Exception {
    float[] numbers = Numbers32.count(64 * 64);
    Files.write(folder.resolve("a.npy"), Numbers32.npy(List.of(64L, 64L), numbers));
    float[] one = new float[64 * 64];
    for (int i = 0; i < 64; i++) {
      one[i * 64 + i] = 1;
    }
    Files.write(folder.resolve("b.npy"), Numbers32.npy(List.of(64L, 64L), one));
    String multiply = MULTIPLY.replace("{file: want.npy}", "{value: A}");
    harness.arrays = new ArrayBudget(40_000);
    JobResult result = fails(multiply, "of 40000, three quarters of the JVM's direct memory");
    assertTrue(result.error().contains("cut the steps with 'stream'"), result.error());
    // a step gives back what no later one needs: inputs, results, what they are compared with
    long each = 3 * 64 * 64 * 4 + 64 * 64 * 8;
    harness.arrays = new ArrayBudget(each);
    run(multiply + multiply.replace("name: ", "name: second-").replace("c.npy", "d.npy"));
  }

  @Test
  void shapesThatDoNotFitAreNamed() throws Exception {
    matrices(1, 1, 1);
    Files.write(folder.resolve("a.npy"), Numbers32.npy(List.of(2L, 3L), Numbers32.count(6)));
    Files.write(folder.resolve("b.npy"), Numbers32.npy(List.of(4L, 2L), Numbers32.count(8)));
    fails(MULTIPLY, "in.B: 'k' is 4 here and 3 in A; both must be equal");
    Files.write(folder.resolve("b.npy"), Numbers32.npy(List.of(8L), Numbers32.count(8)));
    fails(MULTIPLY, "in.B: has the shape [8] of 1 dimensions; the job file gives 2");
    Files.write(folder.resolve("b.npy"), new byte[] {1, 2, 3});
    fails(MULTIPLY, "b.npy: the file ends within the magic word");
    byte[] cut = Numbers32.npy(List.of(3L, 2L), Numbers32.count(6));
    Files.write(folder.resolve("b.npy"), java.util.Arrays.copyOf(cut, cut.length - 1));
    fails(MULTIPLY, "shape: [3, 2] needs 24 bytes; the bytes after the header are 23");
    assertFalse(Files.exists(folder.resolve("c.npy")));
  }

  private void matrices(int m, int k, int n) throws IOException {
    Files.write(
        folder.resolve("a.npy"),
        Numbers32.npy(List.of((long) m, (long) k), Numbers32.count(m * k)));
    Files.write(
        folder.resolve("b.npy"),
        Numbers32.npy(List.of((long) k, (long) n), Numbers32.count(k * n)));
    float[] product = new float[m * n];
    float[] a = Numbers32.count(m * k);
    float[] b = Numbers32.count(k * n);
    for (int i = 0; i < m * n; i++) {
      for (int l = 0; l < k; l++) {
        product[i] += a[i / n * k + l] * b[l * n + i % n];
      }
    }
    Files.write(folder.resolve("want.npy"), Numbers32.npy(List.of((long) m, (long) n), product));
  }

  @Test
  void anArrayInFortransOrderIsReadAsItIsMeant() throws Exception {
    byte[] columns = Numbers32.npy(List.of(2L, 3L), 1, 2, 3, 4, 5, 6);
    String header = new String(columns, StandardCharsets.ISO_8859_1).replace("False", "True ");
    Files.write(folder.resolve("a.npy"), header.getBytes(StandardCharsets.ISO_8859_1));
    Files.write(folder.resolve("b.npy"), Numbers32.npy(List.of(3L, 2L), 1, 2, 3, 4, 5, 6));
    Files.write(folder.resolve("want.npy"), Numbers32.npy(List.of(2L, 2L), 35, 44, 44, 56));
    run(MULTIPLY);
    assertArrayEquals(
        Files.readAllBytes(folder.resolve("want.npy")),
        Files.readAllBytes(folder.resolve("c.npy")));
    String scale =
        """
        - name: scale
          program: scale-f32
          in: {x: {file: a.npy, type: f32, shape: [n, 3]}}
          out: {y: {type: f32, shape: [n, 3]}}
          args: [2, n]
          stream: n
        """;
    fails(scale, "a.npy: fortran_order: True; a file that is read in pieces");
  }

  @Test
  void theFirstElementThatDiffersIsNamed() throws Exception {
    matrices(2, 2, 2);
    Files.write(folder.resolve("other.npy"), Numbers32.npy(List.of(2L, 2L), 11, 3, 3, 99));
    String step = MULTIPLY.replace("{file: want.npy}", "{file: other.npy, absolute: 0.5}");
    fails(step, "the output differs: C[0, 1] is 6.0, expected 3.0 (difference 3.00000;");
    assertFalse(Files.exists(folder.resolve("c.npy")));
    harness.device.spoils = true;
    JobResult result = fails(MULTIPLY, "C[0, 0] is ");
    assertTrue(result.error().contains("job.yml:10:"), result.error());
    assertEquals(1, result.exitStatus());
  }

  @Test
  void aToleranceAllowsSmallDifferences() throws Exception {
    matrices(1, 1, 1);
    Files.write(folder.resolve("want.npy"), Numbers32.npy(List.of(1L, 1L), 9.4f));
    run(MULTIPLY.replace("{file: want.npy}", "{file: want.npy, absolute: 0.5}"));
    run(MULTIPLY.replace("{file: want.npy}", "{file: want.npy, relative: 0.05}"));
    fails(
        MULTIPLY.replace("{file: want.npy}", "{file: want.npy, relative: 0.04}"),
        "C[0, 0] is 9.0, expected 9.4 (difference 0.400000; allowed: 0 + 0.0400000 * |expected|)");
  }

  @Test
  void buffersAreHandedOnWhereTheyAre() throws Exception {
    Files.write(folder.resolve("x"), Numbers32.raw(1, 2, 3));
    run(
        """
        - name: double
          program: scale-f32
          in: {x: {file: x, type: f32, shape: [n]}}
          out: {y: {type: f32, shape: [n]}}
          args: [2, n]
        - name: triple
          program: scale-f32
          in: {y: {from: double.y, shape: [n]}}
          out: {z: {file: z, type: f32, shape: [n]}}
          args: [y, 3, z, n]
        """);
    assertArrayEquals(Numbers32.raw(6, 12, 18), Files.readAllBytes(folder.resolve("z")));
  }

  @Test
  void aBufferThatIsChangedInPlaceKeepsWhatItsMakerMade() throws Exception {
    Files.write(folder.resolve("x"), Numbers32.raw(3, 1, 2));
    // The formula is of what the buffer held before: 6, 2, 4 become 2, 4, 6.
    run(
        """
        - name: double
          program: scale-f32
          in: {x: {file: x, type: f32, shape: [n]}}
          out: {y: {type: f32, shape: [n]}}
          args: [2, n]
        - name: sort
          program: sort
          in: {y: {from: double.y}}
          out: {y: {file: sorted, expect: {value: 5.5 * y - 0.75 * y * y - 4}}}
          args: [y, y.kind]
        - name: copy
          program: copy
          in: {y: {from: double.y, shape: [n]}}
          out: {z: {file: z, type: f32, shape: [n]}}
        """);
    assertArrayEquals(Numbers32.raw(2, 4, 6), Files.readAllBytes(folder.resolve("sorted")));
    assertArrayEquals(Numbers32.raw(6, 2, 4), Files.readAllBytes(folder.resolve("z")));
  }

  @Test
  void imagesGoInAndOut() throws Exception {
    byte[] pixels = new byte[5 * 7 * 3];
    new java.util.Random(1).nextBytes(pixels);
    java.io.ByteArrayOutputStream image = new java.io.ByteArrayOutputStream();
    io.isle.apps.jobs.data.PngWriter.write(
        List.of(5L, 7L, 3L), java.lang.foreign.MemorySegment.ofArray(pixels), image);
    Files.write(folder.resolve("in.png"), image.toByteArray());
    String step =
        """
        - program: copy
          in: {x: {file: in.png, shape: [h, w, c]}}
          out: {y: {file: %s, type: u8, shape: %s, expect: {value: x}}}
        """;
    run(step.formatted("out.png", "[h, w, c]"));
    assertArrayEquals(image.toByteArray(), Files.readAllBytes(folder.resolve("out.png")));
    run(step.formatted("out.raw", "[h * w, c]"));
    assertArrayEquals(pixels, Files.readAllBytes(folder.resolve("out.raw")));
    fails(step.formatted("o.png", "[h * w * c]"), "out.y: a PNG image has elements of u8");
    Files.writeString(folder.resolve("in.png"), "no image");
    fails(step.formatted("o.png", "[h, w, c]"), "in.png: is not a PNG image");
  }

  @Test
  void streamsWaitForEachOther() throws Exception {
    Files.write(folder.resolve("x"), Numbers32.raw(1, 2, 3));
    JobResult result =
        job(
            """
            job: j
            streams:
              - name: late
                priority: high
                steps:
                  - name: triple
                    program: scale-f32
                    in: {y: {from: early/double.y, shape: [n]}}
                    out: {z: {file: z, type: f32, shape: [n]}}
                    args: [3, n]
              - name: early
                steps:
                  - name: double
                    program: scale-f32
                    in: {x: {file: x, type: f32, shape: [n]}}
                    out: {y: {type: f32, shape: [n]}}
                    args: [2, n]
                    repeat: 3
                  - {name: last, program: busy, args: [1], after: late/triple}
            """);
    assertEquals(JobState.DONE, result.state(), result.error());
    assertArrayEquals(Numbers32.raw(6, 12, 18), Files.readAllBytes(folder.resolve("z")));
    assertEquals(
        List.of("early/double", "late/triple", "early/last"),
        result.steps().stream().map(step -> step.stream() + "/" + step.step()).toList());
    StepTimes first = result.steps().getFirst();
    assertEquals(3, first.pieces());
    assertTrue(first.computeNs() > 0 && first.transferNs() > 0, first::toString);
    assertTrue(first.queueNs() > 0 && first.buildNs() > 0, first::toString);
    assertEquals("normal", first.priority());
    assertEquals("high", result.steps().get(1).priority());
  }

  private JobResult fails(String steps, String message) throws IOException {
    return harness.failed(folder, steps, message);
  }

  private JobResult run(String steps) throws IOException {
    return harness.done(folder, steps);
  }

  private JobResult job(String text) throws IOException {
    return harness.run(
        Files.writeString(folder.resolve("job.yml"), text), folder.toAbsolutePath(), Map.of());
  }
}
