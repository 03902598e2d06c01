package io.isle.faces.shell.job;

import java.nio.file.Path;
import java.security.Principal;
import javax.security.auth.Subject;
import org.apache.karaf.jaas.boot.principal.RolePrincipal;
import org.apache.karaf.jaas.boot.principal.UserPrincipal;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.api.console.Terminal;

/**
 * Who runs a command, and where.
 *
 * @param directory against which the caller's relative paths count
 * @param terminal whether somebody watches the error stream
 */
record Caller(Path directory, String user, boolean admin, boolean terminal) {
  static Caller of(Session session) {
    Object directory = session == null ? null : session.get("isle.cwd");
    Path path = Path.of(directory == null ? "" : directory.toString()).toAbsolutePath();
    return new Caller(path, userName(), isAdmin(), session != null && terminal(session));
  }

  private static boolean terminal(Session session) {
    Object said = session.get("isle.tty");
    if (said != null) {
      return said.toString().equals("true");
    }
    Terminal terminal = session.getTerminal();
    return terminal != null && terminal.getWidth() > 0;
  }

  private static String userName() {
    Subject subject = Subject.current();
    if (subject != null) {
      for (Principal principal : subject.getPrincipals(UserPrincipal.class)) {
        return principal.getName();
      }
    }
    return "unknown";
  }

  private static boolean isAdmin() {
    Subject subject = Subject.current();
    return subject != null
        && subject.getPrincipals(RolePrincipal.class).stream()
            .anyMatch(role -> role.getName().equals("admin"));
  }
}
