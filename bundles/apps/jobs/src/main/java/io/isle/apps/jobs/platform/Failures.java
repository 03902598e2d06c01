package io.isle.apps.jobs.platform;

import io.isle.api.accel.WorkError;
import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.device.RecoveryCause;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.spec.JobSpec;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Words for what can go wrong. */
public final class Failures {
  private Failures() {}

  /** Why a file operation failed, without the file's name. */
  public static String reason(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "no such file or directory";
    }
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (e instanceof NotDirectoryException) {
      return "not a directory";
    }
    if (e instanceof FileSystemException file && file.getReason() != null) {
      return file.getReason();
    }
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  /** Whether work that ended with {@code code}, of either sign, may be done again later. */
  public static boolean passes(int code) {
    return switch (Math.abs(code)) {
      case Errno.EINTR, Errno.ENODATA -> true;
      default -> ends(code);
    };
  }

  /**
   * The negated code of a control call. One that did not return in time is a device that hangs: the
   * core recovers it.
   */
  public static int ofCall(IsleException e) {
    return e.code() == Errno.ETIMEDOUT ? -Errno.EINTR : -e.code();
  }

  /** Whether {@code code}, of either sign, means that the context is gone for good. */
  public static boolean ends(int code) {
    return switch (Math.abs(code)) {
      case Errno.ENODEV, Errno.ECLOSED -> true;
      default -> false;
    };
  }

  /** A piece of work was interrupted more often than the job allows. */
  public static JobException exhausted(String device, String step, int retries, int code) {
    return JobException.failed(
        -code,
        device
            + ": step "
            + step
            + ": a piece of work was interrupted "
            + (retries + 1)
            + " times (retries: "
            + retries
            + "); no output was written. See driver:history "
            + device
            + " for the reasons why the driver ended ("
            + Errno.name(code)
            + ")",
        null);
  }

  /** The driver of {@code device} ended so often in a row under the step, with nothing done. */
  public static JobException endsDriver(
      String device, JobSpec.Step step, int tries, RecoveryCause cause) {
    return JobException.failed(
        Errno.EIO,
        device
            + ": step "
            + step.name()
            + ": the program "
            + program(step)
            + " ends the device's driver: "
            + tries
            + " tries in a row, the last one with: "
            + cause.text()
            + "; no output was written. Look for stores out of bounds; driver:history "
            + device
            + " lists each try (EIO)",
        null);
  }

  /** What was written for {@code device} is no work; {@code mistake} says why. */
  public static JobException mistaken(String device, String mistake, int code) {
    String hint =
        code == -Errno.EACCES
            ? "; a buffer that a kernel only reads must be const in the kernel, and a buffer that"
                + " a kernel writes must be an output"
            : "";
    return JobException.failed(-code, device + ": " + mistake + hint, null);
  }

  /** The device took no work again within {@code waitedNs}. */
  public static JobException notBack(String device, long waitedNs, String why, Throwable cause) {
    return JobException.failed(
        Errno.ENODEV,
        device
            + " did not come back within "
            + TimeUnit.NANOSECONDS.toMillis(waitedNs)
            + " ms ("
            + why
            + "); no output was written. See device:info "
            + device
            + "; `driver:reload "
            + device
            + "` brings the device back; then run the job again",
        cause);
  }

  /** Of a loop all of them: they go together. */
  private static String program(JobSpec.Step step) {
    return step.allPrograms().stream()
        .map(
            program ->
                program.code().text()
                    + program.kernel().map(kernel -> " (kernel " + kernel + ")").orElse(""))
        .distinct()
        .collect(Collectors.joining(", "));
  }

  /**
   * A piece of work of a step ended with the negated {@code code}.
   *
   * @param piece its number from 1; 0 for the whole
   * @param error what the driver said of it, if it was the driver that ended it
   */
  public static JobException work(
      String device, JobSpec.Step step, long piece, int code, Optional<WorkError> error) {
    return error
        .map(
            said ->
                JobException.failed(
                    -code,
                    device
                        + ": step "
                        + step.name()
                        + ": the driver ended "
                        + (piece > 0 ? "piece " + piece : "the work")
                        + " of the program "
                        + program(step)
                        + " with an error: "
                        + said.text()
                        + "; see device:info "
                        + device
                        + " ("
                        + Errno.name(code)
                        + ")",
                    null))
        .orElseGet(() -> device(device, step.name(), code));
  }

  /** A piece of work on {@code device} ended with the negated {@code code}. */
  public static JobException device(String device, String step, int code) {
    String what =
        switch (-code) {
          case Errno.ETIMEDOUT ->
              "a piece of work exceeded the execution limit and was stopped; give the step smaller"
                  + " pieces of work, or its stream a larger max_execution_us";
          case Errno.EIO ->
              "the device reported an error for a piece of work; see device:info " + device;
          case Errno.EREVOKED -> "the right to use the device was revoked";
          case Errno.EINVAL ->
              "the device refused a command; the arguments of the step do not fit the program";
          default -> "work on the device failed";
        };
    return JobException.failed(
        -code, device + ": step " + step + ": " + what + " (" + Errno.name(code) + ")", null);
  }
}
