package io.isle.itests.inside;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.AssumptionViolatedException;
import org.junit.runner.Description;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunNotifier;
import org.junit.runners.model.InitializationError;
import org.ops4j.pax.exam.junit.PaxExam;

/**
 * Runs a class inside the container if the machine has an OpenCL device; else its tests are
 * skipped. Asked outside, because Pax Exam counts a test that is skipped inside as passed.
 */
public final class WithOpenCl extends PaxExam {
  private static final int MISSING = 3;

  public WithOpenCl(Class<?> type) throws InitializationError {
    super(type);
  }

  @Override
  public void run(RunNotifier notifier) {
    Optional<String> missing = missing();
    if (missing.isEmpty()) {
      super.run(notifier);
      return;
    }
    for (Description test : getDescription().getChildren()) {
      notifier.fireTestStarted(test);
      notifier.fireTestAssumptionFailed(
          new Failure(test, new AssumptionViolatedException(missing.get())));
      notifier.fireTestFinished(test);
    }
  }

  /** Why there is no device, as the benchmark's peer says. */
  private static Optional<String> missing() {
    Path program =
        Path.of(System.getProperty("isle.root"), "native-shims/build/release/bench-opencl-direct");
    ProcessBuilder look =
        new ProcessBuilder(program.toString(), "calibrate", "1").redirectErrorStream(true);
    try {
      Path cache = Files.createDirectories(Path.of(System.getProperty("isle.target"), "pocl"));
      look.environment().put("POCL_CACHE_DIR", cache.toString());
      Process process = look.start();
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.waitFor() == MISSING
          ? Optional.of(said.strip() + " (apt-get install pocl-opencl-icd)")
          : Optional.empty();
    } catch (IOException e) {
      throw new IllegalStateException(program + " does not run", e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
