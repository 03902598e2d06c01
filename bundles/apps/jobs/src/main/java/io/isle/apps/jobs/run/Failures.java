package io.isle.apps.jobs.run;

import io.isle.api.base.Errno;
import io.isle.api.jobs.JobException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Words for what can go wrong. */
final class Failures {
  private Failures() {}

  /** Why a file operation failed, without the file's name. */
  static String reason(IOException e) {
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

  /** A piece of work on {@code device} ended with the negated {@code code}. */
  static JobException device(String device, String step, int code) {
    String what =
        switch (-code) {
          case Errno.EINTR, Errno.ENODEV, Errno.ENODATA ->
              "the device was lost while the job ran; no output was written. `driver:reload "
                  + device
                  + "` brings it back, then run the job again";
          case Errno.ETIMEDOUT ->
              "a piece of work ran into the execution limit and was stopped; give the step smaller"
                  + " work or the device more time";
          case Errno.EIO ->
              "the device reported an error for a piece of work; see device:info " + device;
          case Errno.ECLOSED -> "the context was closed; the platform is stopping or was restarted";
          case Errno.EREVOKED -> "the right to use the device was revoked";
          case Errno.EINVAL ->
              "the device refused a command; the arguments of the step do not fit the program";
          default -> "work on the device failed";
        };
    return JobException.failed(
        -code, device + ": step " + step + ": " + what + " (" + Errno.name(code) + ")", null);
  }
}
