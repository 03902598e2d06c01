package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.sshd.client.channel.ChannelSubsystem;
import org.apache.sshd.client.channel.ClientChannelEvent;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.SshException;
import org.apache.sshd.common.util.net.SshdSocketAddress;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the ssh console is besides a console: nothing, for any role. */
@ExtendWith(Platform.class)
class SshForwardingIT {
  static final List<String> ROLES = SshUsers.ROLES;

  private static SshUsers users;
  private static Ssh ssh;
  private static ServerSocket target;

  @BeforeAll
  static void addUsers() throws IOException {
    users = new SshUsers();
    ssh = new Ssh(SshUsers.port());
    target = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  @AfterAll
  static void removeUsers() throws IOException {
    target.close();
    ssh.close();
    users.close();
  }

  private interface Asking {
    void ask(ClientSession session) throws IOException;
  }

  /** What the console answers who asks for more, in a session of a user. */
  private static String refused(String user, Asking asking) throws IOException {
    try (ClientSession session = ssh.session(user, SshUsers.PASSWORD).orElseThrow()) {
      return assertThrows(SshException.class, () -> asking.ask(session)).getMessage();
    }
  }

  @ParameterizedTest
  @FieldSource("ROLES")
  void nobodyReachesAPortThroughIt(String user) throws IOException {
    SshdSocketAddress origin = new SshdSocketAddress("127.0.0.1", 0);
    SshdSocketAddress there = new SshdSocketAddress("127.0.0.1", target.getLocalPort());
    String why =
        refused(
            user,
            session -> session.createDirectTcpipChannel(origin, there).open().verify(Ssh.LIMIT));
    assertTrue(why.contains("opening channel"), why);
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "0.0.0.0", ""})
  void nobodyHasItListen(String address) throws IOException {
    SshdSocketAddress bind = new SshdSocketAddress(address, 0);
    SshdSocketAddress here = new SshdSocketAddress("127.0.0.1", target.getLocalPort());
    for (String user : ROLES) {
      assertNotEquals("", refused(user, session -> session.startRemotePortForwarding(bind, here)));
    }
  }

  /** The client closes the channel of one that is refused; else it would stay open. */
  @ParameterizedTest
  @ValueSource(strings = {"sftp", "scp", "netconf"})
  void thereIsNoSubsystem(String name) throws IOException {
    for (String user : ROLES) {
      try (ClientSession session = ssh.session(user, SshUsers.PASSWORD).orElseThrow();
          ChannelSubsystem channel = session.createSubsystemChannel(name)) {
        channel.open().verify(Ssh.LIMIT);
        Set<ClientChannelEvent> seen =
            channel.waitFor(EnumSet.of(ClientChannelEvent.CLOSED), Ssh.LIMIT);
        assertTrue(seen.contains(ClientChannelEvent.CLOSED), seen::toString);
      }
    }
  }

  @ParameterizedTest
  @FieldSource("ROLES")
  void commandsRunAsEver(String user) throws IOException {
    Ssh.Said said = ssh.run(user, SshUsers.PASSWORD, "device:list").orElseThrow();
    assertEquals(0, said.code(), said::toString);
    assertTrue(said.text().contains("soft0"), said::toString);
    assertFalse(said.text().contains("role"), said::toString);
  }
}
