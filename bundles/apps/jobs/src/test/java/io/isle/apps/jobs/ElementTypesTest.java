package io.isle.apps.jobs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.api.accel.ProgramKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The types of buffers against what kernels take their elements to be. */
@Timeout(60)
class ElementTypesTest {
  private static final String STEP =
      """
      - program: {file: k.cl, kernel: scale_f32}
        in: {x: {file: x, type: %s, shape: [n]}}
        out: {y: {file: y, type: %s, shape: [n]}}
        args: [%s, 2, %s, n]
        size: [n]
      """;

  private static final String LOOP =
      """
      - name: loop
        in: {x: {file: x, type: %s, shape: [n]}}
        temp: {y: {type: %1$s, shape: [n]}}
        out: {x: {file: y}}
        loop:
          times: 3
          swap: [x, y]
          steps: [{program: {file: k.cl, kernel: step_u32}, args: [%s, %s, 1], size: [1]}]
      """;

  @TempDir Path folder;

  private final Harness harness = new Harness(1 << 20);

  @BeforeEach
  void files() throws IOException {
    harness.device.kinds = EnumSet.of(ProgramKind.BUILTIN, ProgramKind.OPENCL_C);
    Files.writeString(folder.resolve("k.cl"), "scale-f32\nstep-u32\nadd-u8\ncopy\n");
    Files.write(folder.resolve("x"), Numbers32.raw(1, 2, 3));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  stream: n\n"})
  void otherElementsAreRefused(String more) throws Exception {
    refused(STEP.formatted("i32", "f32", "x", "y") + more, 0, "float", "f32", "x", "i32");
    refused(STEP.formatted("f32", "u8", "x", "y") + more, 2, "float", "f32", "y", "u8");
    refused(STEP.formatted("f32", "f16", "x", "y") + more, 2, "float", "f32", "y", "f16");
    assertEquals(0, harness.device.submissions.get());
    var ignored = harness.done(folder, STEP.formatted("f32", "f32", "x", "y") + more);
    assertArrayEquals(Numbers32.raw(2, 4, 6), Files.readAllBytes(folder.resolve("y")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  stream: n\n"})
  void bytesGoToAnyKernelWhereTheJobSaysSo(String more) throws Exception {
    var ignored = harness.done(folder, STEP.formatted("i32", "u32", "{raw: x}", "{raw: y}") + more);
    assertArrayEquals(Numbers32.raw(2, 4, 6), Files.readAllBytes(folder.resolve("y")));
  }

  @Test
  void innerStepsOfLoopsAreCheckedToo() throws Exception {
    refused(LOOP.formatted("f32", "x", "y"), 0, "uint", "u32", "x", "f32");
    assertEquals(0, harness.device.submissions.get());
    var ignored = harness.done(folder, LOOP.formatted("f32", "{raw: x}", "{raw: y}"));
    // signs may differ
    ignored = harness.done(folder, LOOP.formatted("i32", "x", "y"));
  }

  /** The type is that of the file, of values or of an earlier step's output. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"{file: x.npy, shape: [n]}", "{values: [1], type: f32, shape: [n]}", "{from: a.y}"})
  void whereverTheBufferComesFrom(String source) throws Exception {
    Files.write(folder.resolve("x.npy"), Numbers32.npy(List.of(3L), 3, 1, 2));
    String steps =
        STEP.formatted("f32", "f32", "x", "y").replace("- program", "- name: a\n  program")
            + """
            - program: {file: k.cl, kernel: add_u8}
              in: {x: %s, z: {values: [7], type: u8, shape: [m]}}
              out: {y: {file: z, type: i8, shape: [m]}}
              args: [m]
              size: [m]
            """
                .formatted(source);
    refused(steps, 0, "uchar", "u8", "x", "f32");
  }

  /** What the driver does not tell is not compared: structures, for example. */
  @Test
  void unknownElementsFitAnything() throws Exception {
    var ignored =
        harness.done(
            folder,
            """
            - program: {file: k.cl, kernel: copy}
              in: {x: {file: x, type: f32, shape: [n]}}
              out: {y: {file: y, type: u64, shape: [2 * n]}}
              size: [n]
            """);
  }

  private void refused(
      String steps, int argument, String pointed, String wanted, String buffer, String held)
      throws IOException {
    String message =
        "argument %d, b (%s*) of the kernel points to %s; the buffer %s has the type %s. Give the"
            + " buffer the type %3$s, or write {raw: %4$s} under 'args'";
    var ignored =
        harness.failed(folder, steps, message.formatted(argument, pointed, wanted, buffer, held));
  }
}
