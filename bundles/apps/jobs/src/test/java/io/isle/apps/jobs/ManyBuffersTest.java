package io.isle.apps.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.api.accel.ProgramKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Steps with many buffers and arguments, and the envelopes that their contexts ask for. */
@Timeout(60)
class ManyBuffersTest {
  @TempDir Path folder;

  private final Harness harness = new Harness(1 << 20);

  @BeforeEach
  void files() throws IOException {
    harness.device.kinds = EnumSet.of(ProgramKind.BUILTIN, ProgramKind.OPENCL_C);
    Files.write(folder.resolve("x"), Numbers32.raw(1, 2, 3));
  }

  @Test
  void aStepMayHave63Buffers() throws Exception {
    run(63, 0);
    assertEquals(8192, harness.device.commandBytes);
  }

  @Test
  void aStepOfFewBuffersHasAContextAsBefore() throws Exception {
    run(15, 0);
    assertEquals(4096, harness.device.commandBytes);
  }

  @Test
  void aKernelMayHave64Arguments() throws Exception {
    run(1, 63);
    assertEquals(63, harness.device.dispatched.getLast().arguments.size());
  }

  /** Each shared input that the kernel may write has a copy, and so two bindings. */
  @Test
  void piecesThatBindTooMuchAreRefused() throws Exception {
    pieces(60, 2, "");
    assertEquals(1, harness.device.dispatched.size());
    pieces(60, 4, "binds 66 ranges: 61 buffers, the program, and copies of 4 shared inputs");
  }

  /** A step with one cut input and others that all pieces share, some of which may be written. */
  private void pieces(int shared, int written, String message) throws IOException {
    StringBuilder kernel = new StringBuilder("probe | buffers: ").append(shared + 1);
    Files.writeString(
        folder.resolve("k.cl"), kernel + " | numbers: 0 | written: " + written + "\n");
    StringBuilder in = new StringBuilder();
    for (int i = 0; i < shared; i++) {
      in.append("\n    b").append(i).append(": {values: [1], type: f32, shape: [1]}");
    }
    in.append("\n    x: {file: x, type: f32, shape: [n]}");
    String steps = "- program: {file: k.cl}\n  size: [n]\n  stream: n\n  in:%s\n".formatted(in);
    var ignored =
        message.isEmpty() ? harness.done(folder, steps) : harness.failed(folder, steps, message);
  }

  private void run(int buffers, int numbers) throws IOException {
    String line = "probe | buffers: " + buffers + " | numbers: " + numbers;
    StringBuilder args = new StringBuilder();
    for (int i = 0; i < numbers; i++) {
      args.append(i == 0 ? "" : ", ").append(i);
    }
    Files.writeString(folder.resolve("k.cl"), line + "\n");
    StringBuilder in = new StringBuilder();
    for (int i = 0; i < buffers; i++) {
      in.append("\n    b").append(i).append(": {file: x, type: f32, shape: [n]}");
    }
    var ignored =
        harness.done(
            folder,
            "- program: {file: k.cl}\n  size: [n]\n  args: [%s]\n  in:%s\n".formatted(args, in));
  }
}
