package io.isle.apps.jobs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.DeviceQuery;
import io.isle.api.accel.ProgramKind;
import io.isle.api.accel.ProgramSource;
import io.isle.api.jobs.JobException;
import io.isle.api.jobs.JobResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs that job files bring along. */
@Timeout(60)
class ProgramFilesTest {
  private static final String DOUBLE =
      """
      - program: %s
        in: {x: {file: x, type: f32, shape: [n]}}
        out: {y: {file: y, type: f32, shape: [n]}}
        args: [2, n]
        size: [n]
      """;

  @TempDir Path folder;

  private final Harness harness = new Harness(1 << 20);
  private final List<DeviceQuery> asked = new ArrayList<>();

  @BeforeEach
  void files() throws IOException {
    Files.write(folder.resolve("x"), Numbers32.raw(3, 1, 2));
    Files.writeString(folder.resolve("own.cl"), "copy\nscale-f32\n");
    harness.device.kinds = EnumSet.of(ProgramKind.BUILTIN, ProgramKind.OPENCL_C);
    harness.accelerators =
        new FakeAccelerators(
            harness.device::list,
            query -> {
              if (query.id().isEmpty()) {
                asked.add(query);
              }
              return harness.device.find(query);
            });
  }

  @Test
  void aKernelOfAFileBesideTheJobRuns() throws Exception {
    JobResult result = run("{file: own.cl, kernel: scale_f32}");
    assertEquals(Set.of(ProgramKind.OPENCL_C), asked.getFirst().kinds());
    assertEquals(Set.of(), asked.getFirst().builtins());
    assertTrue(result.steps().getFirst().buildNs() > 0, result.steps()::toString);
    Files.writeString(folder.resolve("own.txt"), "scale-f32");
    run("{file: own.txt, kind: opencl_c, options: -DN=1}");
  }

  /** The first that a device has; the builtin has arguments of its own. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aBuiltinTakesThePlaceOfAKernelThatNoDeviceTakes(boolean takesSource) throws Exception {
    if (!takesSource) {
      harness.device.kinds = EnumSet.of(ProgramKind.BUILTIN);
    }
    Files.writeString(folder.resolve("copy.cl"), "copy");
    run(
        "[{file: copy.cl, args: []}, {builtin: scale-f32, args: [1, n], size: [n]}]",
        Numbers32.raw(3, 1, 2));
    assertEquals(takesSource ? 1 : 2, asked.size());
    assertEquals(1, harness.device.loads.get());
  }

  @Test
  void whenNoDeviceHasAnyTheErrorNamesThemAll() throws Exception {
    harness.device.kinds = EnumSet.of(ProgramKind.BUILTIN);
    JobResult result = fails("[{file: own.cl, kernel: copy}, missing]", "OPENCL_C");
    assertTrue(result.error().contains("missing"), result.error());
  }

  @Test
  void aKernelThatIsNotThereIsNamedWithThoseThatAre() throws Exception {
    JobResult result =
        fails(
            "{file: own.cl, kernel: blur}",
            "own.cl: has no kernel 'blur'; the kernels of the program" + " are copy(");
    assertEquals(1, result.exitStatus());
    assertTrue(result.error().contains("job.yml:4:14: steps[0].program: "), result.error());
    fails(
        "{file: own.cl}",
        "name the 'kernel'; the kernels of the program are"
            + " copy(item*, item*), scale_f32(float*, f32, float*, u64)");
    Files.writeString(
        folder.resolve("own.cl"), "copy | unusable: argument 1 is an image\nscale-f32");
    fails(
        "{file: own.cl, kernel: copy}",
        "own.cl: the kernel copy cannot be used: argument 1 is an image");
    fails("{file: own.cl}", "copy (cannot be used: argument 1 is an image), scale_f32(");
    run("{file: own.cl, kernel: scale_f32}");
  }

  @Test
  void theCompilersWordsComeThroughWithTheNameOfTheFile() throws Exception {
    Files.writeString(folder.resolve("own.cl"), "what is this?");
    fails("{file: own.cl}", "own.cl: build log: own.cl:1: what is this?");
  }

  @Test
  void filesAreReadOnceBeforeTheJobBegins() throws Exception {
    harness.device.plan.at(1, FakePlan.Event.GONE);
    harness.onRecovering =
        () -> {
          boolean ignored = folder.resolve("own.cl").toFile().delete();
        };
    run("{file: own.cl, kernel: scale_f32}");
    assertFalse(Files.exists(folder.resolve("own.cl")));
    assertEquals(2, harness.device.loads.get());
  }

  /** A kernel may read what it writes, so that what a crash took of it must be there again. */
  @ParameterizedTest
  @ValueSource(strings = {"", "stream: n"})
  void outputsOfAKernelOutliveCrashes(String stream) throws Exception {
    harness.device.plan.at(1, FakePlan.Event.CRASH).at(2, FakePlan.Event.CRASH_AFTER);
    var ignored =
        harness.done(
            folder,
            DOUBLE.formatted("{file: own.cl, kernel: scale_f32}")
                + (stream.isEmpty() ? "" : "  " + stream + "\n"));
    assertArrayEquals(Numbers32.raw(6, 2, 4), Files.readAllBytes(folder.resolve("y")));
  }

  @Test
  void aFileThatCannotBeAProgramIsRefusedBeforeTheJobBegins() throws Exception {
    refused("{file: none.cl}", "none.cl: no such file or directory");
    refused("{file: ., kind: ptx}", "is not a regular file");
    Files.write(folder.resolve("a.cl"), new byte[] {(byte) 0xff});
    refused("{file: a.cl}", "a.cl: is not UTF-8");
    Files.write(folder.resolve("a.cl"), new byte[0]);
    refused("{file: a.cl}", "a.cl: source: is empty");
    Files.write(folder.resolve("a.spv"), new byte[24]);
    refused("{file: a.spv}", "begins with 0x00000000");
    Files.writeString(folder.resolve("a.ptx"), "a\0b");
    refused("{file: a.ptx}", "byte 1 is NUL");
    Files.write(folder.resolve("long.cl"), new byte[ProgramSource.MAX_SOURCE_BYTES + 1]);
    refused("{file: long.cl}", "the limit is 1048576 bytes");
    assertEquals(List.of(), asked);
  }

  @Test
  void filesOfAJobAreBoundedTogether() throws Exception {
    StringBuilder steps = new StringBuilder();
    byte[] source = new byte[ProgramSource.MAX_SOURCE_BYTES];
    java.util.Arrays.fill(source, (byte) ' ');
    for (int i = 0; i < 17; i++) {
      Files.write(folder.resolve(i + ".cl"), source);
      steps.append(DOUBLE.formatted("{file: " + i + ".cl}").replace("file: y", "file: y" + i));
    }
    JobException e = assertThrows(JobException.class, () -> harness.done(folder, "" + steps));
    assertTrue(e.getMessage().contains("more than 16777216 bytes in all"), e.getMessage());
  }

  @Test
  void aFileAsABuiltInProgramIsRefusedWithWhatToWrite() {
    JobException e =
        assertThrows(JobException.class, () -> harness.done(folder, DOUBLE.formatted("own.cl")));
    assertEquals(2, e.exitStatus());
    assertTrue(
        e.getMessage().contains("is a file, not a built-in program; write program: {file: own.cl}"),
        e.getMessage());
  }

  private void refused(String program, String message) {
    JobException e =
        assertThrows(JobException.class, () -> harness.done(folder, DOUBLE.formatted(program)));
    assertEquals(1, e.exitStatus());
    assertTrue(e.getMessage().contains(message), e.getMessage());
    assertTrue(e.getMessage().contains("job.yml:4:14: steps[0].program: "), e.getMessage());
  }

  private JobResult fails(String program, String message) throws IOException {
    return harness.failed(folder, DOUBLE.formatted(program), message);
  }

  private JobResult run(String program) throws IOException {
    return run(program, Numbers32.raw(6, 2, 4));
  }

  private JobResult run(String program, byte[] wanted) throws IOException {
    JobResult result = harness.done(folder, DOUBLE.formatted(program));
    assertArrayEquals(wanted, Files.readAllBytes(folder.resolve("y")));
    return result;
  }
}
