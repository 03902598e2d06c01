package io.isle.itests.inside;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.AssumptionViolatedException;
import org.junit.runner.Description;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunNotifier;
import org.junit.runners.model.InitializationError;
import org.ops4j.pax.exam.junit.PaxExam;

/**
 * Runs a class inside the container if the machine can compile handlers of packets; else its tests
 * are skipped. The handlers are compiled outside, by the distribution's {@code spin-cc}.
 */
public final class WithHandlers extends PaxExam {
  /** Property of the container: where the compiled handlers are. */
  static final String FOLDER = "isle.itests.handlers";

  private static final int UNABLE = 3;

  public WithHandlers(Class<?> type) throws InitializationError {
    super(type);
  }

  @Override
  public void run(RunNotifier notifier) {
    try {
      List<String> unable = new ArrayList<>();
      if (spinCc(unable, "--can") == UNABLE) {
        skip(notifier, String.join(" ", unable));
        return;
      }
      Path folder = Files.createDirectories(Path.of(System.getProperty("isle.target"), "handlers"));
      compile("spin/handlers", "udp_ping", folder);
      compile("test/handlers", "hostile", folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    super.run(notifier);
  }

  private static void compile(String from, String name, Path folder) throws IOException {
    Path source = Path.of(System.getProperty("isle.root"), "native-shims", from, name + ".c");
    List<String> said = new ArrayList<>();
    if (spinCc(said, "-o", "" + folder.resolve(name + ".spin"), "" + source) != 0) {
      throw new AssertionError(String.join("\n", said));
    }
  }

  private static int spinCc(List<String> said, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("isle.dist"), "lib/isle/bin/spin-cc").toString());
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    said.addAll(
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .toList());
    return process.onExit().join().exitValue();
  }

  private void skip(RunNotifier notifier, String why) {
    for (Description test : getDescription().getChildren()) {
      notifier.fireTestStarted(test);
      notifier.fireTestAssumptionFailed(new Failure(test, new AssumptionViolatedException(why)));
      notifier.fireTestFinished(test);
    }
  }
}
