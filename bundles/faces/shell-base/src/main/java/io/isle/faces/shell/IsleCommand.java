package io.isle.faces.shell;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.concurrent.Phaser;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.api.console.Terminal;

/**
 * Base of all commands: they print to an {@link Output}, and throw to fail. A new object is made
 * for each call.
 */
public abstract class IsleCommand implements Action {
  @Option(name = "--json", description = "Print one JSON document instead of text")
  private boolean json;

  @Reference private Session session;

  private Services services = new OsgiServices(getClass());

  /** Does the work; returns when it is done. */
  protected abstract void run(Output output);

  /** The services of the platform. */
  protected final Services services() {
    return services;
  }

  /** The session that the command runs in. */
  protected final Session session() {
    return session;
  }

  /**
   * A path of a file as the caller gives it: a relative path starts at the caller's directory.
   *
   * @throws ShellException as a usage error for a text that is no path
   */
  protected final Path path(String text) {
    try {
      Object directory = session == null ? null : session.get("isle.cwd");
      Path path =
          directory == null ? Path.of(text) : Path.of(directory.toString(), "").resolve(text);
      return path.toAbsolutePath().normalize();
    } catch (InvalidPathException e) {
      throw ShellException.usage("file '" + text + "' is not a path: " + e.getReason());
    }
  }

  /** Whether the error stream is a terminal. */
  protected final boolean watched() {
    if (session == null) {
      return false;
    }
    if (session.get("isle.tty") instanceof Boolean said) {
      return said;
    }
    Terminal terminal = session.getTerminal();
    return terminal != null && terminal.getWidth() > 0;
  }

  @Override
  public final Object execute() {
    // who interrupts the session waits for the end of this
    Phaser running = session.get("isle.running") instanceof Phaser given ? given : new Phaser();
    running.register();
    try {
      run(new Output(System.out, json, columns()));
    } finally {
      // the shell does it later, when that one may have gone
      System.out.flush();
      System.err.flush();
      running.arriveAndDeregister();
    }
    return null;
  }

  /** Runs it outside the container, for tests. */
  public final void execute(Services with, Output output) {
    services = with;
    run(output);
  }

  /**
   * The caller's terminal, as the session's variables say or as the session's own one says; 0 where
   * there is none, so that nothing is cut that a program reads.
   */
  private int columns() {
    if (Boolean.FALSE.equals(session.get("isle.tty"))) {
      return 0;
    }
    if (session.get("isle.columns") instanceof Number given) {
      return Math.max(0, given.intValue());
    }
    Terminal terminal = session.getTerminal();
    return terminal == null ? 0 : Math.max(0, terminal.getWidth());
  }
}
