package io.isle.spin.nic.build;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * One process of the compiler: bounded in time, memory, and bytes of a file, and with a folder of
 * its own for all that it writes.
 *
 * @param code exit code
 * @param overTime whether the process was ended because of its time
 * @param output file with what it wrote to its output
 * @param messages what it wrote as errors; the beginning, if it is long
 */
record CompilerRun(int code, boolean overTime, Path output, String messages) {
  private static final int MAX_MESSAGES = 64 << 10;
  private static final int KILLED = 137;
  private static final Duration GRACE = Duration.ofSeconds(5);

  /** Memory and CPU time of each process, and the longest file, which includes the output. */
  private static final String BOUNDS =
      "ulimit -v 2097152 && ulimit -t %d && ulimit -f 131072 && exec timeout -s KILL %d sh \"$@\"";

  /**
   * Runs the compiler to its end.
   *
   * @param script of the compiler, for sh
   * @param folder new and empty; the caller removes it
   */
  static CompilerRun of(Path script, List<String> arguments, Path folder, Duration limit)
      throws IOException, InterruptedException {
    long seconds = limit.toSeconds();
    List<String> command =
        new ArrayList<>(List.of("sh", "-c", BOUNDS.formatted(seconds, seconds), "sh"));
    command.add(script.toString());
    command.addAll(arguments);
    Path output = folder.resolve("output");
    Path errors = folder.resolve("errors");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile());
    environment(builder.environment(), folder);
    Process process = builder.start();
    boolean ended = false;
    try {
      ended = process.waitFor(limit.plus(GRACE).toSeconds(), TimeUnit.SECONDS);
    } finally {
      if (!ended) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
    }
    int code = ended ? process.exitValue() : KILLED;
    return new CompilerRun(code, code == KILLED, output, text(errors));
  }

  /** The image must not depend on what the platform was started with. */
  private static void environment(Map<String, String> environment, Path folder) {
    Map<String, String> kept = Map.copyOf(environment);
    environment.clear();
    for (String name : List.of("PATH", "SPIN_CC")) {
      if (kept.containsKey(name)) {
        environment.put(name, Objects.requireNonNull(kept.get(name)));
      }
    }
    environment.put("LC_ALL", "C.UTF-8");
    environment.put("TMPDIR", folder.toString());
  }

  private static String text(Path file) throws IOException {
    try (InputStream stream = Files.newInputStream(file)) {
      return new String(stream.readNBytes(MAX_MESSAGES), StandardCharsets.UTF_8);
    }
  }
}
