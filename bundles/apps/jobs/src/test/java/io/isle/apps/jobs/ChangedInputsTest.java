package io.isle.apps.jobs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.ProgramKind;
import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.StepTimes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Inputs without const: the kernel destroys them, and everybody else finds them as they were. */
@Timeout(60)
class ChangedInputsTest {
  private static final String STEP =
      """
      - name: first
        program: {file: consume.cl}
        in: {x: {file: x, type: f32, shape: [n]}}
        out: {y: {file: y, type: f32, shape: [n], expect: {value: 2 * x}}}
        args: [n]
        size: [n]
      """;

  @TempDir Path folder;

  private final Harness harness = new Harness(64 << 20);

  @BeforeEach
  void files() throws IOException {
    harness.device.kinds = EnumSet.of(ProgramKind.BUILTIN, ProgramKind.OPENCL_C);
    Files.writeString(folder.resolve("consume.cl"), "consume\n");
    Files.writeString(folder.resolve("table.cl"), "table\n");
    Files.write(folder.resolve("x"), Numbers32.raw(1, 2, 3));
  }

  @ParameterizedTest
  @CsvSource({"false,1,0", "true,1,0", "false,5,48", "true,5,48"})
  void eachRepetitionFindsTheInput(boolean staging, int repeat, long back) throws Exception {
    harness.device.staging = staging;
    JobResult result = run(STEP + "  repeat: " + repeat + "\n");
    found("y", 2, 4, 6);
    assertEquals(back, putBack(result));
  }

  /** Without room for a copy on the device, the input comes from the platform's memory again. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aDeviceWithoutRoomForACopyGetsTheInputAgain(boolean staging) throws Exception {
    Harness small = new Harness(28);
    small.device.kinds = harness.device.kinds;
    small.device.staging = staging;
    JobResult result = small.done(folder, STEP + "  repeat: 5\n");
    found("y", 2, 4, 6);
    assertEquals(48, putBack(result));
  }

  @ParameterizedTest
  @CsvSource({
    "CRASH,''",
    "STOPPED,''",
    "CRASH_AFTER,''",
    "GONE,''",
    "RESTART,''",
    "STOPPED,'repeat: 3'",
    "CRASH,'repeat: 3'",
    "CRASH_AFTER,'repeat: 3'",
    "GONE,'repeat: 3'",
    "STOPPED,stream: n",
    "CRASH,stream: n",
    "CRASH_AFTER,stream: n",
    "GONE,stream: n"
  })
  void eachTryFindsTheInput(FakePlan.Event event, String more) throws Exception {
    harness.device.plan.at(1, event).at(3, event);
    var ignored = run(STEP + more.indent(2));
    found("y", 2, 4, 6);
  }

  /** The second step and its expectation read what the first one made; so does the third. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void laterStepsFindWhatAnEarlierOneMade(boolean staging) throws Exception {
    harness.device.staging = staging;
    harness.device.plan.at(2, FakePlan.Event.STOPPED);
    JobResult result =
        run(
            STEP.replace("file: y, ", "")
                + """
                - name: second
                  program: {file: consume.cl}
                  in: {y: {from: first.y, shape: [n]}}
                  out: {z: {file: z, type: f32, shape: [n], expect: {value: 2 * y}}}
                  args: [n]
                  size: [n]
                - name: third
                  program: {file: consume.cl}
                  in: {y: {from: first.y, shape: [n]}}
                  out: {z: {file: w, type: f32, shape: [n]}}
                  args: [n]
                  size: [n]
                """);
    found("z", 4, 8, 12);
    found("w", 4, 8, 12);
    assertEquals(12, putBack(result));
  }

  /** The last reader is given the memory itself; what it spoils is computed again. */
  @ParameterizedTest
  @ValueSource(strings = {"STOPPED", "CRASH", "CRASH_AFTER", "GONE"})
  void theLastReaderMayBeTriedAgain(FakePlan.Event event) throws Exception {
    harness.device.plan.at(2, event);
    var ignored =
        run(
            STEP.replace("file: y, ", "")
                + """
                - name: second
                  program: {file: consume.cl}
                  in: {y: {from: first.y, shape: [n]}}
                  out: {z: {file: z, type: f32, shape: [n]}}
                  args: [n]
                  size: [n]
                """);
    found("z", 4, 8, 12);
  }

  /** Pieces share the table, of which the kernel destroys the first element. */
  @ParameterizedTest
  @CsvSource({"false,", "true,", "false,CRASH", "false,STOPPED", "false,CRASH_AFTER", "false,GONE"})
  void eachPieceFindsASharedInput(boolean staging, FakePlan.Event event) throws Exception {
    harness.device.staging = staging;
    if (event != null) {
      harness.device.plan.at(2, event);
    }
    int elements = 5_000_000;
    Files.write(folder.resolve("x"), new byte[4 * elements]);
    JobResult result =
        run(
            """
            - program: {file: table.cl}
              in:
                x: {file: x, type: f32, shape: [n]}
                t: {values: [7, 1], type: f32, shape: [m]}
              out: {y: {file: y, type: f32, shape: [n], expect: {value: x + 7}}}
              args: [n]
              size: [n]
              stream: n
            """);
    assertEquals(event == null ? 16 : putBack(result), putBack(result));
  }

  /** Once the device has its copy of a table, no further piece brings it along. */
  @ParameterizedTest
  @CsvSource({"table.cl,", "table.cl,CRASH", "table.cl,UPDATE", "table.cl,STOPPED", "matmul.cl,"})
  void piecesCopyASharedInputOnce(String kernel, FakePlan.Event event) throws Exception {
    Harness small = new Harness(100_000);
    small.device.kinds = harness.device.kinds;
    small.device.staging = true;
    if (event != null) {
      small.device.plan.at(3, event);
    }
    int elements = 40_000;
    int table = 2_000;
    boolean multiplies = kernel.startsWith("matmul");
    Files.writeString(folder.resolve("matmul.cl"), "matmul-f32\n");
    Files.write(folder.resolve("x"), new byte[4 * elements]);
    Files.write(folder.resolve("t"), new byte[4 * table]);
    JobResult result =
        small.done(
            folder,
            """
            - program: {file: %s}
              in:
                x: {file: x, type: f32, shape: [n, %d]}
                t: {file: t, type: f32, shape: [%d]}
              out: {y: {file: y, type: f32, shape: [n, 1]}}
              args: [%s]
              size: [n]
              stream: n
            """
                .formatted(
                    kernel, multiplies ? table : 1, table, multiplies ? "n, 1, " + table : "n"));
    long pieces = result.steps().getFirst().pieces();
    assertTrue(pieces >= 6, pieces + " pieces");
    long moved = 4L * elements + 4L * elements / (multiplies ? table : 1);
    long most = moved + (event == null ? 5 : 12) * 4L * table + (event == null ? 0 : moved / 2);
    long copied = small.device.copied.get();
    assertTrue(copied <= most, copied + " bytes, most " + most + ", " + pieces + " pieces");
  }

  private static long putBack(JobResult result) {
    return result.steps().stream().mapToLong(StepTimes::putBackBytes).sum();
  }

  private JobResult run(String steps) throws IOException {
    return harness.done(folder, steps);
  }

  private void found(String file, float... wanted) throws IOException {
    assertArrayEquals(Numbers32.raw(wanted), Files.readAllBytes(folder.resolve(file)));
  }
}
