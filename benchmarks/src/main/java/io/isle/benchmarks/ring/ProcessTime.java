package io.isle.benchmarks.ring;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The processor time that a process has used so far, with all threads that it has or had. */
final class ProcessTime {
  /** Of Linux, for programs: a hundredth of a second. */
  private static final double NS_PER_TICK = 1e7;

  private static final int USER = 11;
  private static final int SYSTEM = 12;

  private ProcessTime() {}

  static double ns(long pid) throws IOException {
    String text = Files.readString(Path.of("/proc/" + pid + "/stat"));
    // the name of the program, in parentheses, may have any character
    String[] values = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
    return NS_PER_TICK * (Long.parseLong(values[USER]) + Long.parseLong(values[SYSTEM]));
  }
}
