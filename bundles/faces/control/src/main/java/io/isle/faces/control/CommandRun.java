package io.isle.faces.control;

import io.isle.api.base.ExitStatus;
import java.io.BufferedOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import javax.security.auth.Subject;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.api.console.SessionFactory;

/**
 * Runs one request in a session of its own, as a subject with the role's principals. {@link #run}
 * is called once; {@link #interrupt} may come from any thread, any number of times.
 *
 * <p>Commands find these session variables: {@code isle.cwd} (String, the caller's directory; paths
 * that a user types are relative to it), {@code isle.columns} (Integer), {@code isle.tty} (Boolean:
 * colours and progress bars only when true).
 */
final class CommandRun {
  private final Request request;
  private final Session session;

  /** Made for this run alone, so that it tells whose command a thread runs. */
  private final Subject subject;

  private final PrintStream out;
  private final PrintStream err;
  private volatile boolean interrupted;

  CommandRun(SessionFactory sessions, Request request, OutputStream out, OutputStream err) {
    this.request = request;
    this.subject = request.role().subject();
    this.out = printer(request.tty() ? out : new PlainText(out));
    this.err = printer(request.tty() ? err : new PlainText(err));
    this.session = sessions.create(InputStream.nullInputStream(), this.out, this.err);
    session.put("isle.cwd", request.cwd());
    session.put("isle.columns", request.columns());
    session.put("isle.tty", request.tty());
    session.put(Session.SCOPE, "shell:*");
    session.put(Session.SUBSHELL, "");
  }

  /** Runs the line to its end and returns the exit code; failures are told on standard error. */
  int run() {
    try {
      asRole(() -> request.command().execute(session));
      return interrupted ? ExitStatus.INTERRUPTED : 0;
    } catch (Exception | LinkageError e) {
      if (interrupted) {
        return ExitStatus.INTERRUPTED;
      }
      Failure failure = Failure.of(e);
      err.println("isle: " + failure.message());
      if (request.verbose()) {
        e.printStackTrace(err);
      }
      return failure.exitCode();
    } finally {
      out.flush();
      err.flush();
      session.close();
    }
  }

  /** Interrupts the command's threads. */
  void interrupt() {
    interrupted = true;
    session.close();
  }

  /** Whether the current thread runs this command; the shell has threads of its own for it. */
  boolean isCalling() {
    return Subject.current() == subject;
  }

  /** The agent's scoped binding: it ends here, whatever the command started. */
  @SuppressWarnings("removal")
  private void asRole(PrivilegedExceptionAction<Object> action) throws Exception {
    try {
      Subject.doAs(subject, action);
    } catch (PrivilegedActionException e) {
      throw e.getException();
    }
  }

  private static PrintStream printer(OutputStream to) {
    return new PrintStream(new BufferedOutputStream(to, 8192), true, StandardCharsets.UTF_8);
  }
}
