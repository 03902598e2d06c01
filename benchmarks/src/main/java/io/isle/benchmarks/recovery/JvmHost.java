package io.isle.benchmarks.recovery;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * What a JVM as the process of a driver would cost at least: the start of one, as small as it gets,
 * up to the first byte that it says. Its class does nothing else.
 */
public final class JvmHost {
  private JvmHost() {}

  /** The process that is started. */
  public static void main(String[] args) {
    System.out.write('.');
    System.out.flush();
  }

  /** Nanoseconds of one start. */
  static double measure() throws IOException, InterruptedException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xshare:auto",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xmx32m",
            "-classpath",
            System.getProperty("java.class.path"),
            JvmHost.class.getName());
    long start = System.nanoTime();
    Process process = new ProcessBuilder(command).start();
    try {
      if (process.getInputStream().read() != '.') {
        throw new IOException("the JVM of the measured platform did not start");
      }
      return System.nanoTime() - start;
    } finally {
      process.destroyForcibly();
      int ignored = process.waitFor();
    }
  }
}
