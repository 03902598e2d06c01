package io.isle.faces.ssh;

import io.isle.api.base.Errno;
import io.isle.api.observe.Actor;
import io.isle.api.observe.AuditEvent;
import java.security.PublicKey;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.sshd.common.AttributeRepository.AttributeKey;
import org.apache.sshd.common.session.Session;
import org.apache.sshd.common.session.SessionListener;
import org.apache.sshd.server.auth.password.PasswordAuthenticator;
import org.apache.sshd.server.auth.password.PasswordChangeRequiredException;
import org.apache.sshd.server.auth.pubkey.PublickeyAuthenticator;
import org.apache.sshd.server.session.ServerSession;

/**
 * Tells of logins that fail. A wrong password is told at once. A client offers its keys one after
 * the other, so that keys which are not taken are told once, when the session ends and nobody was
 * let in. Who it was nobody knows: the user's name is what the client says. Thread-safe.
 */
final class Logins implements PasswordAuthenticator, PublickeyAuthenticator {
  static final String ACTION = "shell.login";

  private static final AttributeKey<KeysRefused> KEYS = new AttributeKey<>();

  private final PasswordAuthenticator passwords;
  private final PublickeyAuthenticator keys;
  private final Consumer<AuditEvent> book;

  Logins(PasswordAuthenticator passwords, PublickeyAuthenticator keys, Consumer<AuditEvent> book) {
    this.passwords = passwords;
    this.keys = keys;
    this.book = book;
  }

  @Override
  public boolean authenticate(String user, String password, ServerSession session)
      throws PasswordChangeRequiredException {
    boolean letIn = passwords.authenticate(user, password, session);
    if (!letIn) {
      tell(user, session, "wrong password or not allowed to use ssh");
    }
    return letIn;
  }

  @Override
  public boolean handleClientPasswordChangeRequest(
      ServerSession session, String user, String oldPassword, String newPassword) {
    return passwords.handleClientPasswordChangeRequest(session, user, oldPassword, newPassword);
  }

  @Override
  public boolean authenticate(String user, PublicKey key, ServerSession session) {
    boolean known = keys.authenticate(user, key, session);
    if (!known) {
      KeysRefused refused = session.getAttribute(KEYS);
      if (refused == null) {
        refused = new KeysRefused();
        session.setAttribute(KEYS, refused);
        session.addSessionListener(refused);
      }
      refused.user = user;
      refused.count.incrementAndGet();
    }
    return known;
  }

  private void tell(String user, ServerSession session, String why) {
    book.accept(
        AuditEvent.of(Actor.STRANGER, ACTION)
            .object(user)
            .failed(Errno.EACCES, why + "; ssh from " + session.getClientAddress()));
  }

  /** Of one session. */
  private final class KeysRefused implements SessionListener {
    private volatile String user;
    private final AtomicInteger count = new AtomicInteger();

    @Override
    public void sessionClosed(Session session) {
      if (!session.isAuthenticated() && session instanceof ServerSession ours) {
        tell(user, ours, "no known key among " + count);
      }
    }
  }
}
