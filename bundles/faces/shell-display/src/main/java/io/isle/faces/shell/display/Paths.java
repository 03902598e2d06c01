package io.isle.faces.shell.display;

import io.isle.faces.shell.ShellException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.apache.karaf.shell.api.console.Session;

/** Paths of files as the caller gives them. */
final class Paths {
  private Paths() {}

  /**
   * The path, from the caller's directory if that is known.
   *
   * @throws ShellException as a usage error when it is none
   */
  static Path of(Session session, String text) {
    try {
      Object directory = session == null ? null : session.get("isle.cwd");
      Path path =
          directory == null ? Path.of(text) : Path.of(directory.toString(), "").resolve(text);
      return path.toAbsolutePath().normalize();
    } catch (InvalidPathException e) {
      throw ShellException.usage("file '" + text + "' is not a path: " + e.getReason());
    }
  }
}
