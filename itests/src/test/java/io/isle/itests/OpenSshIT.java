package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A viewer with OpenSSH's own client, where there is one: it gets commands, and nothing besides.
 */
@ExtendWith(Platform.class)
class OpenSshIT {
  @TempDir private static Path folder;
  private static SshUsers users;
  private static ServerSocket target;
  private static int port;

  @BeforeAll
  static void addUsers() throws IOException {
    assumeTrue(isInstalled("ssh") && isInstalled("ssh-keygen"), "skipped: no OpenSSH client here");
    users = new SshUsers();
    Path key = folder.resolve("key");
    run("ssh-keygen", "-q", "-t", "rsa", "-b", "2048", "-N", "", "-f", key.toString()).succeeded();
    users.addViewersKey(Files.readString(folder.resolve("key.pub")));
    port = SshUsers.port();
    target = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  @AfterAll
  static void removeUsers() throws IOException {
    if (users != null) {
      target.close();
      users.close();
    }
  }

  private static boolean isInstalled(String program) {
    return Stream.of(System.getenv("PATH").split(":"))
        .anyMatch(path -> Files.isExecutable(Path.of(path, program)));
  }

  private static Platform.Result run(String... command) {
    return Call.begin(folder, Map.of(), List.of(command)).end();
  }

  private static Call begin(Map<String, String> environment, String... arguments) {
    List<String> command = new ArrayList<>(List.of("ssh", "-F", "none", "-p", "" + port));
    for (String option :
        List.of(
            "BatchMode=yes",
            "IdentitiesOnly=yes",
            "IdentityFile=" + folder.resolve("key"),
            "StrictHostKeyChecking=no",
            "UserKnownHostsFile=/dev/null",
            "ExitOnForwardFailure=yes")) {
      command.addAll(List.of("-o", option));
    }
    command.addAll(List.of(arguments));
    return Call.begin(folder, environment, command);
  }

  private static Platform.Result viewer(String... arguments) {
    return begin(Map.of(), arguments).end();
  }

  private static String targetPort() {
    return "127.0.0.1:" + target.getLocalPort();
  }

  @Test
  void itRunsCommands() {
    Platform.Result result = viewer("viewer@127.0.0.1", "device:list").succeeded();
    assertTrue(result.out().contains("soft0"), result::toString);
    assertNotEquals(0, viewer("viewer@127.0.0.1", "device:reset soft0").code());
  }

  /** However many came before, and whatever became of them. */
  @Test
  void eachOfManyIsLetInAndGetsItsExitCode() {
    for (int i = 0; i < 20; i++) {
      viewer("viewer@127.0.0.1", "device:list").succeeded();
      viewer("viewer@127.0.0.1", "device:reset soft0").failed(1);
      viewer("nobody@127.0.0.1", "device:list").failed(255);
    }
  }

  @Test
  void itIsNoWayToAPort() {
    Platform.Result result = viewer("-W", targetPort(), "viewer@127.0.0.1");
    assertNotEquals(0, result.code());
    assertTrue(result.err().contains("prohibited"), result::toString);
  }

  @Test
  void itListensNowhere() {
    for (String bind : List.of("", "0.0.0.0:", "*:")) {
      Platform.Result result = viewer("-N", "-R", bind + "0:" + targetPort(), "viewer@127.0.0.1");
      assertNotEquals(0, result.code());
      assertTrue(result.err().contains("remote port forwarding failed"), result::toString);
    }
    Platform.Result socket =
        viewer("-N", "-R", folder + "/there:" + targetPort(), "viewer@127.0.0.1");
    assertNotEquals(0, socket.code());
    assertFalse(Files.exists(folder.resolve("there")));
  }

  @Test
  void whatTheClientListensOnLeadsNowhere() throws Exception {
    int free = freePort();
    Call tunnel = begin(Map.of(), "-N", "-L", free + ":" + targetPort(), "viewer@127.0.0.1");
    try {
      endsAtOnce(free);
    } finally {
      tunnel.kill();
    }
    assertTrue(tunnel.end().err().contains("prohibited"));
  }

  @Test
  void aSocksProxyLeadsNowhere() throws Exception {
    int free = freePort();
    Call proxy = begin(Map.of(), "-N", "-D", "" + free, "viewer@127.0.0.1");
    try {
      Awaiting.await("the client listens", () -> connects(free));
      InetSocketAddress at = new InetSocketAddress("127.0.0.1", free);
      try (Socket socket = new Socket(new Proxy(Proxy.Type.SOCKS, at))) {
        socket.setSoTimeout(20_000);
        socket.connect(new InetSocketAddress("127.0.0.1", target.getLocalPort()));
        assertEquals(-1, socket.getInputStream().read(), "nothing is at the other end");
      } catch (SocketException e) {
        assertTrue(e.getMessage().contains("SOCKS"), e::toString);
      }
    } finally {
      proxy.kill();
    }
    assertTrue(proxy.end().err().contains("prohibited"));
  }

  @Test
  void thereIsNoSubsystem() {
    Platform.Result result = viewer("-s", "viewer@127.0.0.1", "sftp");
    assertNotEquals(0, result.code());
    assertTrue(result.err().contains("subsystem request failed"), result::toString);
  }

  /** What the session's variables name is there; those of a forwarding must not be. */
  @Test
  void neitherAgentNorScreenIsForwarded() throws Exception {
    String agent = folder.resolve("agent").toString();
    Process server = new ProcessBuilder("ssh-agent", "-D", "-a", agent).start();
    try {
      Awaiting.await("the agent listens", () -> Files.exists(Path.of(agent)));
      Map<String, String> environment = Map.of("SSH_AUTH_SOCK", agent, "DISPLAY", "127.0.0.1:99");
      Platform.Result result =
          begin(
                  environment,
                  "-A",
                  "-Y",
                  "viewer@127.0.0.1",
                  "echo agent \"[$SSH_AUTH_SOCK]\" screen \"[$DISPLAY]\"")
              .end()
              .succeeded();
      assertEquals("agent [] screen []\n", result.out());
      assertTrue(result.err().contains("X11 forwarding request failed"), result::toString);
    } finally {
      server.destroy();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket any = new ServerSocket(0)) {
      return any.getLocalPort();
    }
  }

  private static boolean connects(int at) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", at)) {
      return socket.isConnected();
    }
  }

  /** Whoever connects there is let go again, and the target hears nothing. */
  private static void endsAtOnce(int at) throws Exception {
    Awaiting.await(
        "the client listens",
        () -> {
          try (Socket socket = new Socket("127.0.0.1", at)) {
            socket.setSoTimeout(20_000);
            return socket.getInputStream().read() == -1;
          }
        });
  }
}
