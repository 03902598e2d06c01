package io.isle.tck;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Threads and child processes at one moment. The JVM's own threads come and go as they like and do
 * not count; a thread of native code is told by the system alone.
 */
record Threads(Map<String, String> found) {
  private static final Path TASKS = Path.of("/proc/self/task");

  /** Names of threads that the JVM makes by itself, as the system shows them. */
  private static final String JVM =
      "(C1 |C2 |GC |G1 |VM |Sweeper|Service|Monitor|Signal|Common-Cleaner|Notification|ForkJoin"
          + "|process reaper|Reference|Finalizer|Attach|Cleaner|Shen|Z[A-Z]|Compiler|java$"
          + "|VirtualThread|Thread-\\d|surefire|main|isle-tck-|jqwik).*";

  static Threads now() {
    Map<String, String> found = new HashMap<>();
    Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> !thread.getName().matches(JVM))
        .forEach(
            thread ->
                found.put("java " + thread.threadId(), "the Java thread " + thread.getName()));
    for (Path task : tasks()) {
      String name = name(task);
      if (!name.isEmpty() && !name.matches(JVM) && !isJava(name)) {
        found.put("task " + task.getFileName(), "the thread " + name);
      }
    }
    ProcessHandle.current()
        .children()
        .forEach(child -> found.put("process " + child.pid(), "the process " + child.pid()));
    return new Threads(found);
  }

  /** What was not there and is still here after {@code grace}, as text. */
  static String leftSince(Threads before, Duration grace) {
    long deadline = System.nanoTime() + grace.toNanos();
    String left = now().without(before);
    while (!left.isEmpty() && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(1_000_000);
      left = now().without(before);
    }
    return left;
  }

  private String without(Threads before) {
    TreeSet<String> left = new TreeSet<>();
    found.forEach(
        (key, text) -> {
          if (!before.found.containsKey(key)) {
            left.add(text);
          }
        });
    return String.join(", ", left);
  }

  /** The system cuts names to 15 characters. */
  private static boolean isJava(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().startsWith(name));
  }

  private static List<Path> tasks() {
    if (!Files.isDirectory(TASKS)) {
      return List.of();
    }
    try (Stream<Path> tasks = Files.list(TASKS)) {
      return new ArrayList<>(tasks.toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Empty if the thread has ended meanwhile. */
  private static String name(Path task) {
    try {
      return Files.readString(task.resolve("comm")).strip();
    } catch (IOException e) {
      return "";
    }
  }
}
