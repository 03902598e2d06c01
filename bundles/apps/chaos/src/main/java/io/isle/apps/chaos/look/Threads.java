package io.isle.apps.chaos.look;

import java.util.Map;
import java.util.regex.Pattern;

/** Threads by name; numbers in names do not count. */
final class Threads {
  /** Threads whose number the JVM and Karaf change with what they happen to do. */
  private static final Pattern ELASTIC =
      Pattern.compile(
          "(process reaper|ForkJoinPool|pool-#-thread|Common-Cleaner|Attach Listener"
              + "|features-|activator-|EventAdminAsyncThread|Karaf ssh|sshd-|Timer-#).*");

  private Threads() {}

  static void count(Map<String, Long> counts) {
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      String name = thread.getName().replaceAll("[0-9]+", "#");
      if (!ELASTIC.matcher(name).matches()) {
        counts.merge("threads " + name, 1L, Long::sum);
      }
    }
  }
}
