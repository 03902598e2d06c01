package io.isle.faces.control;

import io.isle.api.base.ExitStatus;
import io.isle.faces.shell.PlainText;
import java.io.BufferedOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.security.auth.Subject;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.api.console.SessionFactory;

/**
 * Runs one request in a session of its own, as a subject with the role's principals. {@link #run}
 * is called once; {@link #interrupt} may come from any thread, any number of times.
 *
 * <p>Commands find these session variables: {@code isle.cwd} (String, the caller's directory; paths
 * that a user types are relative to it), {@code isle.columns} (Integer), {@code isle.tty} (Boolean:
 * colours and progress bars only when true), {@code isle.running} (Phaser: a command that may have
 * something to say after an interrupt is registered while it runs, because an interrupted session
 * does not wait for its commands).
 */
final class CommandRun {
  /** How long after an interrupt a command may take to end. */
  private static final long END_S = 60;

  private final Request request;
  private final Session session;
  private final Phaser running = new Phaser(1);

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
    session.put("isle.running", running);
    session.put(Session.SCOPE, "shell:*");
    session.put(Session.SUBSHELL, "");
  }

  /**
   * Runs the line to its end and returns the exit code; failures are told on standard error, errors
   * such as a full stack too.
   */
  int run() {
    try {
      asRole(() -> request.command().execute(session));
      return interrupted ? awaitInterrupted() : 0;
    } catch (Exception | Error e) {
      if (interrupted) {
        return awaitInterrupted();
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

  /** Lets the command say what it has to say. */
  private int awaitInterrupted() {
    try {
      int ignored = running.awaitAdvanceInterruptibly(running.arrive(), END_S, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      err.println("isle: the command did not end within " + END_S + " s of its interrupt");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return ExitStatus.INTERRUPTED;
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
