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
