package io.isle.faces.ssh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.observe.AuditEvent;
import io.isle.core.testing.RecordedAudit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.channel.ChannelExec;
import org.apache.sshd.client.channel.ClientChannelEvent;
import org.apache.sshd.client.keyverifier.AcceptAllServerKeyVerifier;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.auth.password.PasswordAuthenticator;
import org.apache.sshd.server.keyprovider.SimpleGeneratorHostKeyProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server as Karaf makes it, without Karaf, and a client. */
class SshConsoleTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String RED = "a \u001b[31mred\u001b[m word";

  private final BlockingQueue<AuditEvent> events = new LinkedBlockingQueue<>();
  private final BlockingQueue<Printing> commands = new LinkedBlockingQueue<>();
  private final SshServer server = SshServer.setUpDefaultServer();
  private final SshClient client = SshClient.setUpDefaultClient();
  private final SshConsole console = new SshConsole().with(new RecordedAudit(events::add));

  @BeforeEach
  void start() throws IOException {
    server.setHost("127.0.0.1");
    server.setKeyPairProvider(new SimpleGeneratorHostKeyProvider());
    server.setPasswordAuthenticator((user, password, session) -> password.equals("right"));
    server.setPublickeyAuthenticator((user, key, session) -> false);
    server.setCommandFactory(
        (channel, line) -> {
          Printing command = new Printing(line);
          commands.add(command);
          return command;
        });
    server.setShellFactory(channel -> new Printing(RED));
    console.add(server);
    server.start();
    client.setServerKeyVerifier(AcceptAllServerKeyVerifier.INSTANCE);
    client.start();
  }

  @AfterEach
  void stop() throws IOException {
    client.stop();
    server.stop();
  }

  private ClientSession connect(String user) throws IOException {
    return client.connect(user, "127.0.0.1", server.getPort()).verify(LIMIT).getSession();
  }

  private boolean logsIn(ClientSession session) throws IOException {
    assertTrue(session.auth().await(LIMIT));
    return session.isAuthenticated();
  }

  private AuditEvent next() throws InterruptedException {
    return events.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
  }

  @Test
  void aWrongPasswordIsWrittenDown() throws Exception {
    try (ClientSession session = connect("ann")) {
      session.addPasswordIdentity("wrong");
      assertFalse(logsIn(session));
    }
    AuditEvent event = next();
    assertEquals("user:(none)", event.actor());
    assertEquals("shell.login", event.action());
    assertEquals("ann", event.object());
    assertEquals(Errno.EACCES, event.code());
    assertTrue(event.detail().contains("password"), event.detail());
    assertTrue(event.detail().contains("/127.0.0.1:"), event.detail());
  }

  @Test
  void whoIsLetInAfterAWrongPasswordLeftOneRecord() throws Exception {
    try (ClientSession session = connect("ann")) {
      session.addPasswordIdentity("wrong");
      session.addPasswordIdentity("right");
      assertTrue(logsIn(session));
    }
    assertEquals("ann", next().object());
    assertNull(events.poll());
  }

  @Test
  void keysThatNobodyKnowsAreOneRecord() throws Exception {
    KeyPairGenerator keys = KeyPairGenerator.getInstance("RSA");
    keys.initialize(2048);
    try (ClientSession session = connect("ann")) {
      session.addPublicKeyIdentity(keys.generateKeyPair());
      session.addPublicKeyIdentity(keys.generateKeyPair());
      assertFalse(logsIn(session));
    }
    AuditEvent event = next();
    assertEquals("ann", event.object());
    assertTrue(event.detail().contains("no known key among 2"), event.detail());
    assertNull(events.poll());
  }

  @Test
  void aKeyIsOnlyTriedWhereThePasswordIsRight() throws Exception {
    KeyPairGenerator keys = KeyPairGenerator.getInstance("RSA");
    keys.initialize(2048);
    try (ClientSession session = connect("ann")) {
      session.addPublicKeyIdentity(keys.generateKeyPair());
      session.addPasswordIdentity("right");
      assertTrue(logsIn(session));
    }
    // a later record would come after the end of the session, which this one is after
    aWrongPasswordIsWrittenDown();
    assertTrue(events.stream().noneMatch(event -> event.detail().contains("key")));
  }

  private String printed(boolean terminal) throws IOException {
    try (ClientSession session = connect("ann")) {
      session.addPasswordIdentity("right");
      assertTrue(logsIn(session));
      ByteArrayOutputStream printed = new ByteArrayOutputStream();
      try (ChannelExec channel = session.createExecChannel(RED)) {
        channel.setUsePty(terminal);
        channel.setOut(printed);
        channel.setErr(printed);
        channel.open().verify(LIMIT);
        channel.waitFor(EnumSet.of(ClientChannelEvent.CLOSED), LIMIT);
      }
      return printed.toString(StandardCharsets.UTF_8);
    }
  }

  @Test
  void onlyATerminalSeesColours() throws IOException {
    assertEquals("a red word".repeat(2), printed(false));
    assertEquals(RED.repeat(2), printed(true));
  }

  /** Else the connection could end before the client has read the exit code. */
  @Test
  void aCommandsExitReturnsOnceTheClientKnowsOfIt() throws Exception {
    String ignored = printed(false);
    assertTrue(commands.take().noted.get(LIMIT.toSeconds(), TimeUnit.SECONDS));
  }

  @Test
  void onceItIsGoneTheServerIsAsItWas() throws Exception {
    PasswordAuthenticator wrapped = server.getPasswordAuthenticator();
    assertTrue(wrapped instanceof Logins);
    console.remove(server);
    assertFalse(server.getPasswordAuthenticator() instanceof Logins);
    assertFalse(server.getPublickeyAuthenticator() instanceof Logins);
    assertFalse(server.getCommandFactory() instanceof PlainOutput);
    assertFalse(server.getShellFactory() instanceof PlainOutput);
    console.add(server);
    assertSame(Logins.class, server.getPasswordAuthenticator().getClass());
  }
}
