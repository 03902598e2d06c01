package io.isle.apps.jobs.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.jobs.JobException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InputTest {
  @TempDir Path folder;

  @Test
  void aFileThatStaysIsReadToItsEnd() throws Exception {
    Path file = Files.write(folder.resolve("in"), new byte[100]);
    try (Input input = Input.of(file)) {
      input.open();
      assertEquals(10, input.fill(ByteBuffer.allocate(10)));
      assertEquals(90, input.fill(ByteBuffer.allocate(1000)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"longer", "shorter", "of the same length"})
  void aFileThatChangesMeanwhileIsFoundOut(String how) throws Exception {
    Path file = Files.write(folder.resolve("in"), new byte[100]);
    try (Input input = Input.of(file)) {
      input.open();
      assertEquals(10, input.fill(ByteBuffer.allocate(10)));
      change(file, how);
      assertChanged(() -> input.fill(ByteBuffer.allocate(1000)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"longer", "shorter", "of the same length"})
  void soIsOneThatIsMapped(String how) throws Exception {
    Path file = Files.write(folder.resolve("in"), new byte[100]);
    try (Input input = Input.of(file)) {
      input.open();
      assertEquals(90, input.windows(10).orElseThrow().bytes());
      input.checkUnchanged();
      change(file, how);
      assertChanged(input::checkUnchanged);
    }
  }

  @Test
  void oneThatIsShorterAlreadyIsReadAndFoundOut() throws Exception {
    Path file = Files.write(folder.resolve("in"), new byte[100]);
    try (Input input = Input.of(file)) {
      change(file, "shorter");
      input.open();
      assertTrue(input.windows().isEmpty());
      assertChanged(() -> input.fill(ByteBuffer.allocate(1000)));
    }
  }

  private static void change(Path file, String how) throws IOException {
    switch (how) {
      case "longer" -> Files.write(file, new byte[1], StandardOpenOption.APPEND);
      case "shorter" -> {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
          assertEquals(50, channel.truncate(50).size());
        }
      }
      default -> Files.setLastModifiedTime(file, FileTime.fromMillis(1));
    }
  }

  private static void assertChanged(Executable read) {
    JobException e = assertThrows(JobException.class, read);
    assertEquals(Errno.EIO, e.code());
    assertTrue(e.getMessage().contains("changed while it was read"), e.getMessage());
  }

  @Test
  void whatCannotBeReadIsSaidBeforeTheJobBegins() {
    assertTrue(refusal(folder).contains("is a directory; give a file"));
    assertTrue(refusal(folder.resolve("none")).contains("no such file or directory"));
  }

  private static String refusal(Path path) {
    return assertThrows(JobException.class, () -> Input.of(path)).getMessage();
  }
}
