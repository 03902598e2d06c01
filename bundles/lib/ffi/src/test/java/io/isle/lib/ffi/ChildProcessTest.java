package io.isle.lib.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ChildProcessTest {
  /** A process with many threads, which ends when its input does. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) throws IOException {
      System.exit(System.in.read());
    }
  }

  @Test
  void aStoppedChildStandsStillInEveryThreadAndAKilledOneHasEnded() throws Exception {
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Child.class.getName())
            .redirectErrorStream(true)
            .start();
    try {
      assertTrue(ChildProcess.stop(child.pid()));
      assertTrue(child.isAlive());
      assertEquals("T", states(child.pid()));
      assertTrue(ChildProcess.resume(child.pid()));
      assertFalse(states(child.pid()).contains("T"));
      assertTrue(ChildProcess.kill(child.pid()));
      assertEquals(128 + 9, child.waitFor());
    } finally {
      child.destroyForcibly();
    }
    assertFalse(ChildProcess.kill(child.pid()));
    assertFalse(ChildProcess.stop(child.pid()));
  }

  /** The states of its threads, each once. */
  private static String states(long pid) throws IOException {
    StringBuilder states = new StringBuilder();
    try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
      for (Path thread : threads.toList()) {
        String stat = Files.readString(thread.resolve("stat"));
        String state = stat.substring(stat.lastIndexOf(')') + 2).substring(0, 1);
        if (states.indexOf(state) < 0) {
          states.append(state);
        }
      }
    }
    return states.toString();
  }

  @Test
  void nobodyElsesProcessIsTouched() {
    assertFalse(ChildProcess.kill(ProcessHandle.current().parent().orElseThrow().pid()));
    assertFalse(ChildProcess.stop(ProcessHandle.current().pid()));
  }

  @Test
  void theNumberOfAThreadIsNoChilds() throws IOException {
    for (long thread : numbers(Path.of("/proc/self/task"))) {
      assertFalse(ChildProcess.stop(thread));
    }
  }

  @Test
  void noDescriptorStaysOpen() throws IOException {
    long before = processDescriptors();
    for (int i = 0; i < 100; i++) {
      assertFalse(ChildProcess.kill(ProcessHandle.current().pid()));
    }
    assertTrue(processDescriptors() < before + 100);
  }

  private static List<Long> numbers(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.map(entry -> Long.parseLong(entry.getFileName().toString())).toList();
    }
  }

  /** Those of this process that stand for a process. */
  private static long processDescriptors() throws IOException {
    long count = 0;
    for (long number : numbers(Path.of("/proc/self/fd"))) {
      Path link = Path.of("/proc/self/fd/" + number);
      try {
        count += Files.readSymbolicLink(link).toString().contains("pidfd") ? 1 : 0;
      } catch (NoSuchFileException e) {
        // the listing's own, closed since
      }
    }
    return count;
  }
}
