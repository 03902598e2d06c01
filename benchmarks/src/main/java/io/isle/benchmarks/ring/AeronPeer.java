package io.isle.benchmarks.ring;

import io.isle.benchmarks.JavaProcess;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Aeron's echo, started anew for each figure, because its processes never sleep. */
record AeronPeer(int bytes) implements Peer {
  private static final List<String> OPTIONS =
      List.of(
          "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
          "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          "-Dagrona.disable.bounds.checks=true");

  @Override
  public String name() {
    return "Aeron UDP, one thread a process, no bounds checks, " + bytes + " B";
  }

  @Override
  public double measure(Settings settings, int rounds) throws IOException {
    Path folder = Files.createTempDirectory(Path.of("/dev/shm"), "isle-bench-aeron");
    String here = "127.0.0.1:" + FreePort.any();
    String there = "127.0.0.1:" + FreePort.any();
    String size = Integer.toString(bytes);
    try (JavaProcess echo =
            new JavaProcess(
                settings,
                "1",
                AeronProcess.class,
                OPTIONS,
                "echo",
                folder.resolve("echo").toString(),
                there,
                here,
                size);
        JavaProcess ping =
            new JavaProcess(
                settings,
                "0",
                AeronProcess.class,
                OPTIONS,
                "ping",
                folder.resolve("ping").toString(),
                here,
                there,
                size)) {
      String ready = echo.line() + ping.line();
      if (!ready.equals("readyready")) {
        throw new IOException("Aeron printed " + ready);
      }
      double warm = ping.ask("rtt " + settings.size(5 * rounds, rounds));
      return Math.min(warm, ping.ask("rtt " + rounds));
    } finally {
      delete(folder);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
