package io.isle.apps.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.ProgramKind;
import io.isle.api.jobs.JobException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sizes, work-groups and offsets of kernels. */
@Timeout(60)
class WorkGroupsTest {
  private static final String NEEDS = "get_local_id in function sum, line 12";

  @TempDir Path folder;

  private final Harness harness = new Harness(64 << 20);

  @BeforeEach
  void files() throws IOException {
    harness.device.kinds = EnumSet.of(ProgramKind.BUILTIN, ProgramKind.OPENCL_C);
    Files.write(folder.resolve("x"), Numbers32.raw(1, 2, 3, 4, 5, 6));
  }

  @Test
  void aKernelThatDependsOnItsWorkGroupIsRefusedWithWhatWasFound() throws Exception {
    kernel("scale-f32 | needs: " + NEEDS);
    fails("size: [n]", "the kernel scale_f32 may depend on the work-group size: " + NEEDS);
    fails("size: [n]", "write the size as 'local: [x, y, z]', or 'local: any'");
    assertEquals(0, harness.device.submissions.get());
    done("size: [n]\nlocal: any");
    assertEquals(List.of(), last().local);
    done("size: [n]\nlocal: [3]");
    assertEquals(List.of(3, 1, 1), last().local);
    assertEquals(List.of(6, 1, 1), last().size);
  }

  @Test
  void aKernelThatRequiresASizeNeedsNoOther() throws Exception {
    kernel("scale-f32 | needs: " + NEEDS + " | requires: 3 1 1");
    done("size: [2 * local_x]");
    assertEquals(List.of(6, 1, 1), last().size);
    assertEquals(List.of(), last().local);
    done("size: [n]\nlocal: [n / 2, 1, 1]");
    fails("size: [n]\nlocal: [2]", "'local' is [2, 1, 1]; the kernel requires [3, 1, 1]");
    fails(
        "size: [n + 1]",
        "the size in x is 7, which is not a multiple of 3, the work-group size that the kernel"
            + " requires");
  }

  @Test
  void aKernelNeedsASize() throws Exception {
    kernel("scale-f32");
    JobException e = assertThrows(JobException.class, () -> done("repeat: 1"));
    assertEquals(2, e.exitStatus());
    assertTrue(e.getMessage().contains("needs 'size', the number of work items"), e.getMessage());
  }

  @Test
  void aSizeThatLocalDoesNotDivideIsRefusedWithBothNumbers() throws Exception {
    kernel("scale-f32");
    fails(
        "size: [n]\nlocal: [4]",
        "the size in x is 6, which is not a multiple of 4, the work-group size of 'local'");
    fails("size: [n, 3]\nlocal: [2, 2]", "the size in y is 3, which is not a multiple of 2");
    fails("size: [n]\nlocal: [2, 2]", "the size in y is 1, which is not a multiple of 2");
    assertEquals(0, harness.device.submissions.get());
    done("size: [local_x * ceil(n / local_x)]\nlocal: [4]");
    assertEquals(List.of(8, 1, 1), last().size);
  }

  @Test
  void aWorkGroupThatIsTooLargeIsRefused() throws Exception {
    kernel("scale-f32 | max: 8");
    fails(
        "size: [n, 4]\nlocal: [6, 2]",
        "'local' has 12 work items; on this device, a work-group of the kernel has at most 8");
    fails("size: [n]\nlocal: [0]", "0 is 0; the value must be a whole number from 1");
  }

  @Test
  void localComesFirstThenSizeThenArguments() throws Exception {
    kernel("scale-f32");
    done("size: [local_x * 3, 4]\nlocal: [n / 3, 2]\noffset: [size_x, 1]", "[local_x, size_y + 2]");
    assertEquals(List.of(6, 4, 1), last().size);
    assertEquals(List.of(2, 2, 1), last().local);
    assertEquals(List.of(6L, 1L, 0L), last().offset);
    assertEquals(List.of("f32 2.0", "u64 6"), last().arguments);
    fails("size: [local_x]\nlocal: any", "local_x has no value: 'local_x' without a value");
  }

  @Test
  void piecesAreCheckedBeforeTheStepRuns() throws Exception {
    kernel("scale-f32");
    int elements = 5_000_003;
    Files.write(folder.resolve("x"), new byte[4 * elements]);
    fails(
        "size: [n]\nlocal: [64]\nstream: n",
        "the size in x is 805699, which is not a multiple of 64");
    assertEquals(0, harness.device.submissions.get());
    Files.write(folder.resolve("x"), new byte[4 * 64 * 100_001]);
    done("size: [n]\nlocal: [64]\nstream: n");
    // pieces would have 2097152 elements, which are not a multiple of 96
    Files.write(folder.resolve("x"), new byte[4 * 96 * 50_001]);
    harness.device.dispatched.clear();
    done("size: [n]\nlocal: [96]\nstream: n");
    assertEquals(0, harness.device.dispatched.getFirst().size.getFirst() % 96);
  }

  @Test
  void aPieceOfAFifoIsCheckedBeforeItRuns() throws Exception {
    kernel("scale-f32");
    Path fifo = folder.resolve("fifo");
    assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    Files.write(fifo, Numbers32.raw(1, 2, 3, 4, 5, 6));
                  } catch (IOException e) {
                    throw new IllegalStateException(e);
                  }
                });
    var ignored =
        harness.failed(
            folder,
            step("size: [n]\nlocal: [4]\nstream: n", "[2, n]").replace("file: x", "file: fifo"),
            "the size in x is 6, which is not a multiple of 4");
    writer.join();
    assertEquals(0, harness.device.submissions.get());
  }

  @Test
  void aDriverThatDescribesNoKernelsTakesNoWorkGroups() throws Exception {
    kernel("scale-f32");
    harness.device.describes = false;
    fails("size: [n]", "the device's driver does not describe kernels: the results may depend");
    fails("size: [n]\nlocal: [2]", "does not describe kernels, and takes neither 'offset' nor");
    fails("size: [n]\nlocal: any\noffset: [1]", "takes neither 'offset' nor a 'local' other");
    done("size: [n]\nlocal: any");
  }

  @Test
  void builtInProgramsHaveNoWorkGroups() throws Exception {
    kernel("scale-f32");
    String step = step("size: [n]\nlocal: [2]", "[2, n]");
    JobException e =
        assertThrows(
            JobException.class,
            () -> harness.done(folder, step.replace("{file: k.cl}", "scale-f32")));
    assertTrue(e.getMessage().contains("steps[0].local: is allowed only for a kernel"));
    done("size: [n]");
    harness.device.kinds = EnumSet.of(ProgramKind.BUILTIN);
    var ignored = harness.done(folder, step.replace("{file: k.cl}", "[{file: k.cl}, scale-f32]"));
  }

  private FakeDispatch last() {
    return harness.device.dispatched.getLast();
  }

  private void kernel(String line) throws IOException {
    Files.writeString(folder.resolve("k.cl"), line + "\n");
  }

  private static String step(String more, String args) {
    return """
        - program: {file: k.cl}
          in: {x: {file: x, type: f32, shape: [n]}}
          out: {y: {file: y, type: f32, shape: [n]}}
          args: %s
        """
            .formatted(args)
        + more.indent(2);
  }

  private void done(String more) throws IOException {
    done(more, "[2, n]");
  }

  private void done(String more, String args) throws IOException {
    var ignored = harness.done(folder, step(more, args));
  }

  private void fails(String more, String message) throws IOException {
    var ignored = harness.failed(folder, step(more, "[2, n]"), message);
  }
}
