package io.isle.itests;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.channel.ChannelShell;
import org.apache.sshd.client.channel.ClientChannel;
import org.apache.sshd.client.channel.ClientChannelEvent;
import org.apache.sshd.client.keyverifier.AcceptAllServerKeyVerifier;
import org.apache.sshd.client.session.ClientSession;

/** A client of an instance's ssh console. */
final class Ssh implements AutoCloseable {
  static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Pattern CONTROLS = Pattern.compile("\u001b\\[[0-9;?]*[a-zA-Z]");

  private final SshClient client = SshClient.setUpDefaultClient();
  private final int port;

  /** What a command left: its exit code, and what it printed, without colours. */
  record Said(int code, String text) {}

  Ssh(int port) {
    this.port = port;
    client.setServerKeyVerifier(AcceptAllServerKeyVerifier.INSTANCE);
    client.start();
  }

  /** Runs a line as a user; empty if that one is not let in. */
  Optional<Said> run(String user, String password, String line) throws IOException {
    return say(user, password, session -> session.createExecChannel(line));
  }

  /** What a line prints, control sequences and all; empty if the user is not let in. */
  Optional<String> raw(String user, String password, String line) throws IOException {
    return print(user, password, session -> session.createExecChannel(line)).map(Printed::text);
  }

  /** Types into the console until its end; empty if the user is not let in. */
  Optional<Said> type(String user, String password, String keys) throws IOException {
    return say(
        user,
        password,
        session -> {
          ChannelShell console = session.createShellChannel();
          console.setIn(new ByteArrayInputStream(keys.getBytes(StandardCharsets.UTF_8)));
          return console;
        });
  }

  private interface Opening {
    ClientChannel open(ClientSession session) throws IOException;
  }

  /** A session of a user, which the caller closes; empty if that one is not let in. */
  Optional<ClientSession> session(String user, String password) throws IOException {
    ClientSession session = client.connect(user, "127.0.0.1", port).verify(LIMIT).getSession();
    session.addPasswordIdentity(password);
    if (session.auth().await(LIMIT) && session.isAuthenticated()) {
      return Optional.of(session);
    }
    session.close();
    return Optional.empty();
  }

  private record Printed(int code, String text) {
    Said plain() {
      return new Said(code, CONTROLS.matcher(text).replaceAll(""));
    }
  }

  private Optional<Said> say(String user, String password, Opening opening) throws IOException {
    return print(user, password, opening).map(Printed::plain);
  }

  private Optional<Printed> print(String user, String password, Opening opening)
      throws IOException {
    Optional<ClientSession> letIn = session(user, password);
    if (letIn.isEmpty()) {
      return Optional.empty();
    }
    try (ClientSession session = letIn.get()) {
      ByteArrayOutputStream printed = new ByteArrayOutputStream();
      try (ClientChannel channel = opening.open(session)) {
        channel.setOut(printed);
        channel.setErr(printed);
        channel.open().verify(LIMIT);
        channel.waitFor(EnumSet.of(ClientChannelEvent.CLOSED), LIMIT);
        Integer code = channel.getExitStatus();
        String text = printed.toString(StandardCharsets.UTF_8);
        return Optional.of(new Printed(code == null ? -1 : code, text));
      }
    }
  }

  @Override
  public void close() throws IOException {
    client.close();
  }
}
