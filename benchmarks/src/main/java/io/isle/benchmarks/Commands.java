package io.isle.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs other programs. */
public final class Commands {
  /** A program that was run and failed. */
  public static final class FailedException extends IOException {
    private static final long serialVersionUID = 1;

    private final int code;

    FailedException(int code, String message) {
      super(message);
      this.code = code;
    }

    /** Its exit code. */
    public int code() {
      return code;
    }
  }

  private Commands() {}

  /** Whether a program is on the PATH. */
  public static boolean exists(String program) {
    for (String folder : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
      if (Files.isExecutable(Path.of(folder.isEmpty() ? "." : folder, program))) {
        return true;
      }
    }
    return false;
  }

  /**
   * Runs a program and returns what it printed.
   *
   * @throws FailedException when it fails, with its error output
   */
  public static String output(List<String> command) throws IOException, InterruptedException {
    return output(command, Map.of());
  }

  /** The same with more variables in its environment. */
  public static String output(List<String> command, Map<String, String> environment)
      throws IOException, InterruptedException {
    Path errors = Files.createTempFile("isle-bench", ".err");
    try {
      ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
      builder.environment().putAll(environment);
      Process process = builder.start();
      process.getOutputStream().close();
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int code = process.waitFor();
      if (code != 0) {
        throw new FailedException(
            code,
            String.join(" ", command) + " exited with " + code + ": " + Files.readString(errors));
      }
      return out;
    } finally {
      Files.delete(errors);
    }
  }
}
