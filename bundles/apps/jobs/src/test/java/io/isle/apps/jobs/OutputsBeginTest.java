package io.isle.apps.jobs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.ProgramKind;
import io.isle.api.jobs.JobException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What outputs of kernels hold before each run: the kernel adds x to what is there. */
@Timeout(60)
class OutputsBeginTest {
  private static final String STEP =
      """
      - program: {file: k.cl}
        in: {x: {file: x, type: f32, shape: [n]}}
        out: {y: {file: y, type: f32, shape: [n]%s}}
        args: [n]
        size: [n]
      """;

  @TempDir Path folder;

  private final Harness harness = new Harness(64 << 20);

  @BeforeEach
  void files() throws IOException {
    harness.device.kinds = EnumSet.of(ProgramKind.BUILTIN, ProgramKind.OPENCL_C);
    Files.writeString(folder.resolve("k.cl"), "accumulate\n");
    Files.write(folder.resolve("x"), Numbers32.raw(1, 2, 3));
    Files.write(folder.resolve("start.npy"), Numbers32.npy(List.of(3L), 10, 20, 30));
  }

  @ParameterizedTest
  @CsvSource({"false,1", "true,1", "false,7", "true,7"})
  void zerosInEachRepetition(boolean staging, int repeat) throws Exception {
    harness.device.staging = staging;
    run("", "repeat: " + repeat);
    found(1, 2, 3);
    // new memory has zeros already
    assertEquals(12L * (repeat - 1), harness.device.filled.get());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void zerosInEachPiece(boolean staging) throws Exception {
    harness.device.staging = staging;
    int elements = 40_000_000;
    byte[] ones = ones(elements);
    Files.write(folder.resolve("x"), ones);
    run("", "stream: n");
    assertArrayEquals(ones, Files.readAllBytes(folder.resolve("y")));
    assertTrue(harness.device.filled.get() > 0);
  }

  @ParameterizedTest
  @CsvSource({
    "CRASH,''",
    "STOPPED,''",
    "CRASH_AFTER,''",
    "GONE,''",
    "RESTART,''",
    "LOST_INPUT,''",
    "CRASH,stream: n",
    "STOPPED,stream: n",
    "CRASH_AFTER,stream: n",
    "GONE,stream: n",
    "RESTART,stream: n",
    "LOST_INPUT,stream: n"
  })
  void zerosInEachTry(FakePlan.Event event, String more) throws Exception {
    harness.device.plan.at(1, event).at(2, FakePlan.Event.STOPPED);
    run("", more);
    found(1, 2, 3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "repeat: 3", "stream: n"})
  void aNumberInEachElement(String more) throws Exception {
    harness.device.plan.at(1, FakePlan.Event.STOPPED);
    run(", initial: 0.5", more);
    found(1.5f, 2.5f, 3.5f);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "repeat: 3", "stream: n"})
  void theContentsOfAFile(String more) throws Exception {
    harness.device.plan.at(1, FakePlan.Event.STOPPED);
    run(", initial: start.npy", more);
    found(11, 22, 33);
    Files.write(folder.resolve("start"), Numbers32.raw(1, 1, 1));
    run(", initial: start", more);
    found(2, 3, 4);
  }

  /** Doubles do not repeat every 32 bits: the CPU writes them. */
  @ParameterizedTest
  @CsvSource({"f64,1.5", "u64,18446744073709551615", "u8,7", "i16,-2", "f64,0", "u64,5"})
  void numbersOfAllTypes(String type, String value) throws Exception {
    Files.writeString(folder.resolve("k.cl"), "probe | untyped | args: n ulong 8 u64 1\n");
    String step =
        STEP.replace("f32, shape: [n]%s}}\n  args", type + ", shape: [n], initial: %s}}\n  args");
    for (String more : List.of("  repeat: 2\n", "  stream: n\n")) {
      Files.writeString(folder.resolve("k.cl"), "probe | untyped | out | args: n ulong 8 u64 1\n");
      var ignored = harness.done(folder, step.formatted(value) + more);
      ByteBuffer found =
          ByteBuffer.wrap(Files.readAllBytes(folder.resolve("y"))).order(ByteOrder.LITTLE_ENDIAN);
      for (int i = 0; i < 3; i++) {
        String each =
            switch (type) {
              case "f64" -> "" + found.getDouble();
              case "u64" -> Long.toUnsignedString(found.getLong());
              case "u8" -> "" + found.get();
              default -> "" + found.getShort();
            };
        assertEquals(value.equals("0") ? "0.0" : value, each);
      }
    }
  }

  @Test
  void aFileOfAnotherShapeIsRefused() throws Exception {
    Files.write(folder.resolve("start.npy"), Numbers32.npy(List.of(2L), 10, 20));
    fails(", initial: start.npy", "", "out.y: extent 0 is 2; the job file gives 3");
    fails(", initial: start.npy", "stream: n", "'n' is 2 here and 3 in x; both must be equal");
    Files.write(folder.resolve("start.npy"), Numbers32.npy(List.of(1L, 3L), 1, 2, 3));
    fails(", initial: start.npy", "", "has the shape [1, 3] of 2 dimensions");
  }

  @Test
  void whatCannotBeAnInitialValueIsRefused() {
    refused(", initial: 1e39", "initial: 1e39 is not in -3.4028235e38..3.4028235e38 (f32)");
    refused(", initial: none.npy", "none.npy: no such file or directory");
    JobException e =
        assertThrows(
            JobException.class,
            () ->
                harness.done(
                    folder,
                    STEP.formatted("")
                        .replace(
                            "{y: {file: y, type: f32, shape: [n]", "{x: {file: y, initial: 1")));
    assertTrue(e.getMessage().contains("begins as the input; leave out 'initial'"));
  }

  /** Buffers in another order than the kernel's; one with contents of its own may be read. */
  @ParameterizedTest
  @ValueSource(strings = {"", "  stream: n\n"})
  void anOutputThatTheKernelCannotWriteIsRefused(String more) throws Exception {
    String step = STEP.replace("args: [n]", "args: [y, x, n]");
    var ignored =
        harness.failed(
            folder,
            step.formatted("") + more,
            "out.y: the kernel cannot write this output, because the kernel's argument is const");
    var _ = harness.done(folder, step.formatted(", initial: 1") + more);
  }

  /** Of a loop, no inner step writes it; with a swap, a step writes what gets the name. */
  @Test
  void anOutputThatNoInnerStepCanWriteIsRefused() throws Exception {
    String loop =
        """
        - name: loop
          in: {x: {file: x, type: f32, shape: [n]}}
          temp: {z: {type: f32, shape: [n]}}
          out: {y: {file: y, type: f32, shape: [n]%s}}
          loop:
            times: 2
            %s
            steps:
              - {program: {file: k.cl}, args: [x, z, n], size: [n]}
              - {program: {file: k.cl}, args: [ARGS, n], size: [n]}
        """;
    String wrong = loop.replace("ARGS", "y, z");
    var ignored =
        harness.failed(
            folder, wrong.formatted("", ""), "out.y: no inner step can write this output");
    var _ = harness.done(folder, wrong.formatted(", initial: 1", ""));
    var _ = harness.done(folder, wrong.formatted("", "swap: [y, z]"));
    var _ = harness.done(folder, loop.replace("ARGS", "z, y").formatted("", ""));
    found(3, 6, 9);
  }

  /** As today: a name under in and out begins as the input each time. */
  @ParameterizedTest
  @ValueSource(strings = {"repeat: 3", "stream: n"})
  void aBufferChangedInPlaceBeginsAsTheInput(String more) throws Exception {
    Files.write(folder.resolve("z"), Numbers32.raw(5, 5, 5));
    harness.device.plan.at(1, FakePlan.Event.STOPPED);
    String step =
        """
        - program: {file: k.cl}
          in: {x: {file: x, type: f32, shape: [n]}, y: {file: z, type: f32, shape: [n]}}
          out: {y: {file: y}}
          args: [n]
          size: [n]
        """;
    var ignored = harness.done(folder, step + more.indent(2));
    found(6, 7, 8);
  }

  private static byte[] ones(int count) {
    byte[] bytes = new byte[4 * count];
    byte[] one = Numbers32.raw(1);
    for (int i = 0; i < bytes.length; i += 4) {
      System.arraycopy(one, 0, bytes, i, 4);
    }
    return bytes;
  }

  private void found(float... wanted) throws IOException {
    byte[] found = Files.readAllBytes(folder.resolve("y"));
    assertArrayEquals(Numbers32.raw(wanted), found, Arrays.toString(found));
  }

  private void run(String initial, String more) throws IOException {
    var ignored = harness.done(folder, STEP.formatted(initial) + more.indent(2));
  }

  private void fails(String initial, String more, String message) throws IOException {
    var ignored = harness.failed(folder, STEP.formatted(initial) + more.indent(2), message);
  }

  private void refused(String initial, String message) {
    JobException e =
        assertThrows(JobException.class, () -> harness.done(folder, STEP.formatted(initial)));
    assertTrue(e.getMessage().contains(message), e.getMessage());
  }
}
