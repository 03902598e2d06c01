package io.isle.tck;

import io.isle.api.base.IsleException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * {@code Main FILE [--json]}: runs the suite on a driver's library or jar and prints a line a case.
 * Exit code: 0 all passed, 1 a case failed or the file is no driver, 2 wrong arguments.
 */
public final class Main {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final String USAGE = "usage: tck FILE [--json], FILE being a driver's .so or jar";

  private Main() {}

  public static void main(String[] args) {
    System.exit(run(List.of(args), System.out, System.err));
  }

  /** What {@link #main} does, without ending the JVM. */
  static int run(List<String> args, PrintStream out, PrintStream err) {
    boolean json = args.contains("--json");
    List<String> files = args.stream().filter(arg -> !arg.startsWith("-")).toList();
    long options = args.stream().filter(arg -> arg.startsWith("-")).distinct().count();
    if (files.size() != 1 || options != (json ? 1 : 0)) {
      err.println(USAGE);
      return 2;
    }
    Path file = Path.of(files.getFirst()).toAbsolutePath();
    if (!Files.isReadable(file)) {
      err.println("isle: " + file + " cannot be read");
      return 1;
    }
    try {
      return run(file, json, out, err);
    } catch (IsleException | IOException | IllegalStateException e) {
      err.println("isle: " + file + " is not a driver: " + e.getMessage());
      return 1;
    }
  }

  private static int run(Path file, boolean json, PrintStream out, PrintStream err)
      throws IOException {
    Map<String, Supplier<Subject>> subjects = Subjects.in(file, nativeDir());
    if (subjects.isEmpty()) {
      err.println(
          "isle: " + file + " names no driver, neither in META-INF/services nor in OSGI-INF");
      return 1;
    }
    Runner runner = new Runner(PATIENCE);
    List<String> rows = new ArrayList<>();
    int[] counts = new int[Result.Outcome.values().length];
    for (Map.Entry<String, Supplier<Subject>> subject : subjects.entrySet()) {
      for (Case what : Cases.all()) {
        Result result = runner.run(subject.getValue(), what);
        counts[result.outcome().ordinal()]++;
        rows.add(row(subject.getKey(), result));
        if (!json) {
          out.println("[" + subject.getKey() + "] " + result.line());
        }
      }
    }
    if (json) {
      out.println("[" + String.join(",", rows) + "]");
    } else {
      out.println(counts[0] + " passed, " + counts[1] + " failed, " + counts[2] + " skipped");
    }
    return counts[Result.Outcome.FAILED.ordinal()] == 0 ? 0 : 1;
  }

  private static Path nativeDir() {
    return Path.of(System.getProperty("isle.native.dir", System.getProperty("isle.native", ".")));
  }

  private static String row(String subject, Result result) {
    List<String> fields =
        List.of(
            "\"subject\":" + quoted(subject),
            "\"case\":" + quoted(result.name()),
            "\"outcome\":" + quoted(result.outcome().name().toLowerCase(java.util.Locale.ROOT)),
            "\"reason\":" + (result.reason().isEmpty() ? "null" : quoted(result.reason())));
    return "{" + String.join(",", fields) + "}";
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    text.chars()
        .forEach(
            c -> {
              if (c == '"' || c == '\\') {
                quoted.append('\\').append((char) c);
              } else if (c < 0x20 || c > 0x7e) {
                quoted.append(String.format("\\u%04x", c));
              } else {
                quoted.append((char) c);
              }
            });
    return quoted.append('"').toString();
  }
}
