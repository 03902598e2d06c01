package io.isle.faces.control;

import io.isle.api.base.ExitStatus;
import java.io.FileNotFoundException;
import java.io.InterruptedIOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.karaf.shell.support.CommandException;

/**
 * What a command's exception means to the caller.
 *
 * @param exitCode the process exit code, see {@link ExitStatus}
 * @param message one or more lines for standard error, without a line end
 */
record Failure(int exitCode, String message) {
  /** Gogo's own exceptions, told by name because their package is not exported. */
  private static final String GOGO = "org.apache.felix.gogo.runtime.";

  /** Karaf looks at a line for secrets before it runs; the parser for that throws what it likes. */
  private static final String PARSING = "org.apache.karaf.shell.support.parsing.";

  static Failure of(Throwable thrown) {
    Throwable cause = unwrap(thrown);
    return new Failure(exitCode(cause), message(cause));
  }

  private static Throwable unwrap(Throwable thrown) {
    Throwable cause = thrown;
    while (cause.getCause() != null
        && (cause instanceof InvocationTargetException
            || cause instanceof ExecutionException
            || cause instanceof CompletionException)) {
      cause = cause.getCause();
    }
    return cause;
  }

  private static int exitCode(Throwable thrown) {
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      if (t instanceof ExitStatus status) {
        return Math.clamp(status.exitStatus(), 1, 255);
      }
    }
    if (thrown instanceof CommandException || isLanguageError(thrown)) {
      return ExitStatus.USAGE;
    }
    boolean interrupted =
        thrown instanceof InterruptedException
            || thrown instanceof InterruptedIOException
            || thrown instanceof ClosedByInterruptException;
    return interrupted ? ExitStatus.INTERRUPTED : ExitStatus.FAILED;
  }

  private static boolean isLanguageError(Throwable thrown) {
    String name = thrown.getClass().getName();
    StackTraceElement[] trace = thrown.getStackTrace();
    if (trace.length > 0 && trace[0].getClassName().startsWith(PARSING)) {
      return true;
    }
    return name.equals(GOGO + "CommandNotFoundException")
        || name.equals(GOGO + "SyntaxError")
        || name.equals(GOGO + "EOFError");
  }

  private static String message(Throwable thrown) {
    String message = thrown.getMessage();
    return message == null || message.isBlank()
        ? thrown.toString()
        : message.strip() + aboutLocation(thrown, message);
  }

  /**
   * Karaf's commands take locations, which are URLs: what one that leads nowhere should have been.
   */
  private static String aboutLocation(Throwable thrown, String message) {
    if (thrown instanceof IllegalArgumentException && message.equals("URI is not absolute")) {
      return ": a location is a URL with an absolute path, such as file:/home/me/x.jar";
    }
    if (thrown instanceof FileNotFoundException && !message.startsWith("/")) {
      return ": a relative path in a URL starts at the platform's folder, "
          + Path.of("").toAbsolutePath()
          + ", not at the caller's; give an absolute path, such as file:/home/me/x.jar";
    }
    return "";
  }
}
