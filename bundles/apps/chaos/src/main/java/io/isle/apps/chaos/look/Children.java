package io.isle.apps.chaos.look;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Processes below this one, dead ones that nobody waited for included. */
final class Children {
  private Children() {}

  static void count(Map<String, Long> counts) {
    ProcessHandle.current()
        .descendants()
        .forEach(child -> counts.merge("processes " + name(child.pid()), 1L, Long::sum));
  }

  private static String name(long pid) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(pid), "comm")).strip();
    } catch (IOException e) {
      return "gone";
    }
  }
}
