package io.isle.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A program of the benchmarks in a JVM of its own. */
public final class JavaProcess extends AskedProcess {
  /**
   * Starts the program.
   *
   * @param settings in a smoke run, which is over before code is hot, only the fast compiler works
   * @param cpus its processors, such as {@code 1} or {@code 0,1}
   * @param options of the JVM
   */
  public JavaProcess(
      Settings settings, String cpus, Class<?> program, List<String> options, String... arguments)
      throws IOException {
    super(
        program.getSimpleName() + " " + String.join(" ", arguments),
        cpus,
        command(settings, program, options, arguments));
  }

  private static List<String> command(
      Settings settings, Class<?> program, List<String> options, String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED"));
    command.addAll(settings.size(List.of(), List.of("-XX:TieredStopAtLevel=1")));
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(List.of(arguments));
    return command;
  }
}
