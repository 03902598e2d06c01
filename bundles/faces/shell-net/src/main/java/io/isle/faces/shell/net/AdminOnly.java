package io.isle.faces.shell.net;

import io.isle.api.base.Errno;
import io.isle.api.observe.Actor;
import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import io.isle.faces.shell.Services;
import io.isle.faces.shell.ShellException;

/**
 * The role that a verb of a command needs, where looking and changing are one command, which the
 * scope's access list does not tell apart.
 */
public final class AdminOnly {
  private AdminOnly() {}

  /**
   * Refuses all but administrators, and records the refusal.
   *
   * @param user the author of the command
   * @param what for example {@code net:lab create}
   * @throws ShellException for others
   */
  public static void check(Services services, Actor user, String what) {
    if (!user.has("admin")) {
      String why = what + ": " + user.text() + " may not; the role admin is needed";
      services.ifThere(Audit.class, book -> recorded(book, user, why));
      throw ShellException.failed(why);
    }
  }

  private static boolean recorded(Audit book, Actor user, String why) {
    book.record(AuditEvent.of(user, "shell.refuse").object("net").failed(Errno.EACCES, why));
    return true;
  }
}
