package io.isle.faces.ssh;

import io.isle.api.observe.Audit;
import io.isle.api.observe.AuditEvent;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.auth.password.PasswordAuthenticator;
import org.apache.sshd.server.auth.pubkey.PublickeyAuthenticator;
import org.apache.sshd.server.command.CommandFactory;
import org.apache.sshd.server.shell.ShellFactory;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/**
 * Adds to each ssh server that Karaf offers as a service: whom it does not let in stands in the
 * audit book, and what is printed has no control sequences where the client has no terminal. What
 * was there before comes back when this bundle goes.
 */
@Component(
    service = {},
    immediate = true)
public final class SshConsole {
  /** What a server had. */
  private record Before(
      PasswordAuthenticator passwords,
      PublickeyAuthenticator keys,
      CommandFactory commands,
      ShellFactory shells) {}

  private final Map<SshServer, Before> servers = new ConcurrentHashMap<>();

  @Reference(policy = ReferencePolicy.DYNAMIC, cardinality = ReferenceCardinality.OPTIONAL)
  private volatile Audit audit;

  @Activate
  public SshConsole() {}

  /** Karaf registers a server before it starts it, on the same thread. */
  @Reference(policy = ReferencePolicy.DYNAMIC, cardinality = ReferenceCardinality.MULTIPLE)
  void add(SshServer server) {
    Before before =
        new Before(
            server.getPasswordAuthenticator(),
            server.getPublickeyAuthenticator(),
            server.getCommandFactory(),
            server.getShellFactory());
    servers.put(server, before);
    Logins logins = new Logins(before.passwords(), before.keys(), this::record);
    PlainOutput plain = new PlainOutput(before.commands(), before.shells());
    if (before.passwords() != null) {
      server.setPasswordAuthenticator(logins);
    }
    if (before.keys() != null) {
      server.setPublickeyAuthenticator(logins);
    }
    if (before.commands() != null) {
      server.setCommandFactory(plain);
    }
    if (before.shells() != null) {
      server.setShellFactory(plain);
    }
  }

  void remove(SshServer server) {
    Before before = servers.remove(server);
    if (before != null) {
      server.setPasswordAuthenticator(before.passwords());
      server.setPublickeyAuthenticator(before.keys());
      server.setCommandFactory(before.commands());
      server.setShellFactory(before.shells());
    }
  }

  private void record(AuditEvent event) {
    Audit book = audit;
    if (book != null) {
      book.record(event);
    }
  }

  /** For tests. */
  SshConsole with(Audit book) {
    audit = book;
    return this;
  }
}
