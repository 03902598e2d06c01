package io.isle.net.xdp.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.api.net.TileProcessInfo;
import io.isle.lib.ffi.ChildProcess;
import io.isle.lib.ffi.ThreadAffinity;
import io.isle.net.tile.TileService;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A net whose tile runs in a process. */
@Timeout(120)
class TileProcessTest extends NetFixture {
  private static final int WINDOW = 64;

  @Override
  Map<String, String> settings(String... more) {
    Map<String, String> all = super.settings(more);
    all.putIfAbsent("placement", "process");
    return all;
  }

  private static Map<String, String> echo(String thread) {
    return Map.of(
        "kind",
        "echo",
        "nets",
        "n",
        "ports",
        Integer.toString(PORT),
        "depth",
        "512",
        "thread",
        thread);
  }

  private TileProcessInfo process() {
    return core.find("n").orElseThrow().tiles().getFirst().process().orElseThrow();
  }

  private void start(String... more) {
    core.create("n", settings(more));
    core.createApp("back", echo("own"));
    running();
    until(() -> app("back").running());
  }

  /** A client that keeps a window of numbered datagrams on their way. */
  private final class Client implements AutoCloseable {
    private final DatagramSocket socket = client();
    private int sent;
    private int back;

    void exchange(int count) throws IOException {
      socket.setSoTimeout(30_000);
      int end = sent + count;
      byte[] into = new byte[64];
      while (back < end) {
        while (sent < end && sent - back < WINDOW) {
          byte[] bytes = ByteBuffer.allocate(64).putInt(sent++).array();
          socket.send(
              new DatagramPacket(bytes, bytes.length, new InetSocketAddress("198.18.0.2", PORT)));
        }
        receive(socket, into);
        assertEquals(back++, ByteBuffer.wrap(into).getInt());
      }
    }

    @Override
    public void close() {
      socket.close();
    }
  }

  @Test
  void noFrameIsLostWhileProcessesAreReplacedAndKilled() throws IOException {
    start();
    try (Client client = new Client()) {
      client.exchange(1000);
      for (int round = 0; round < 5; round++) {
        TileProcessInfo before = process();
        until(() -> process().standby().isPresent());
        if (round % 2 == 0) {
          core.reload("n");
        } else {
          assertTrue(ChildProcess.kill(before.pid().orElseThrow()));
        }
        client.exchange(1000);
        until(() -> process().starts() == before.starts() + 1);
        assertNotEquals(before.pid(), process().pid());
      }
      client.exchange(1000);
    }
    assertTrue(process().reason().contains("signal 9"), process().reason());
    assertEquals(7000, counter("rx", "seen"));
    assertEquals(7000, counter("rx", "passed"));
    assertEquals(7000, counter("tx", "passed"));
  }

  /** The processors of the thread that runs the tile; empty without it. */
  private String processors() {
    try (Stream<Path> tasks =
        java.nio.file.Files.list(
            Path.of("/proc", Long.toString(process().pid().orElse(0)), "task"))) {
      for (Path task : tasks.toList()) {
        String status = java.nio.file.Files.readString(task.resolve("status"));
        if (status.startsWith("Name:\tisle-agent-tile\n")) {
          return status.replaceAll("(?s).*\nCpus_allowed_list:\t([^\n]*)\n.*", "$1");
        }
      }
      return "";
    } catch (IOException e) {
      // a thread, or the process, has ended
      return "";
    }
  }

  @Test
  void aTileRunsOnItsProcessor() throws IOException {
    TreeSet<Integer> there = new TreeSet<>(ThreadAffinity.processors());
    start("cpu", there.getLast().toString());
    until(() -> processors().equals(there.getLast().toString()));
    assertEquals(
        List.of(there.getLast()), core.find("n").orElseThrow().tiles().getFirst().processors());
    try (Client client = new Client()) {
      client.exchange(100);
      core.set("n", Map.of("cpu", there.getFirst().toString()));
      until(() -> processors().equals(there.getFirst().toString()));
      client.exchange(100);
    }
    assertEquals(1, process().starts());
  }

  @Test
  void theBundleOfTilesIsUpdatedWithoutLoss() throws IOException {
    start();
    try (Client client = new Client()) {
      client.exchange(500);
      long pid = process().pid().orElseThrow();
      core.remove(tiles);
      client.exchange(500);
      assertEquals(pid, process().pid().orElseThrow());
      core.add(new TileService());
      client.exchange(500);
    }
    assertEquals(1500, counter("tx", "passed"));
  }

  @Test
  void aTileWithoutAStandbyIsReplaced() throws IOException {
    start("standby", "false");
    assertTrue(process().standby().isEmpty());
    try (Client client = new Client()) {
      client.exchange(100);
      assertTrue(ChildProcess.kill(process().pid().orElseThrow()));
      client.exchange(100);
      core.reload("n");
      client.exchange(100);
      until(() -> process().starts() == 3);
      client.exchange(100);
    }
  }

  /** A stopped process runs no code that could tell. */
  @Test
  void aTileThatHangsIsReplaced() throws IOException {
    start();
    try (Client client = new Client()) {
      client.exchange(100);
      until(() -> process().standby().isPresent());
      assertTrue(ChildProcess.stop(process().pid().orElseThrow()));
      client.exchange(100);
    }
    assertTrue(process().reason().contains("no sign of life"), process().reason());
  }

  @Test
  @Tag(EACH_END)
  void aTileThatFailsAgainAndAgainIsStartedLater() throws IOException {
    core.add(new FailingTiles());
    core.create("n", settings());
    core.createApp("back", echo("own"));
    until(() -> process().reason().contains("3 times within short"));
    String reason = process().reason();
    assertTrue(reason.contains("exited with code 1"), reason);
    assertTrue(reason.contains("a defect of the test"), reason);
    core.add(tiles);
    running();
    try (Client client = new Client()) {
      client.exchange(100);
    }
  }

  @Test
  void aProcessIsConfined() throws IOException {
    start();
    List<String> status =
        Files.readAllLines(Path.of("/proc", process().pid().orElseThrow() + "", "status"));
    assertTrue(status.contains("CapEff:\t0000000000000000"), status::toString);
    assertTrue(status.contains("NoNewPrivs:\t1"), status::toString);
    List<String> sandbox = process().sandbox();
    assertTrue(sandbox.contains("profile: applied (tile)"), sandbox::toString);
    if (sandbox.contains("seccomp: applied")) {
      assertTrue(status.contains("Seccomp_filters:\t2"), status::toString);
    }
  }

  @Test
  void tilesMoveBetweenThePlatformAndProcesses() throws IOException {
    start();
    try (Client client = new Client()) {
      client.exchange(200);
      core.set("n", Map.of("placement", "agent"));
      client.exchange(200);
      assertTrue(core.find("n").orElseThrow().tiles().getFirst().process().isEmpty());
      core.set("n", Map.of("placement", "process"));
      client.exchange(200);
      running();
      assertTrue(process().pid().isPresent());
    }
    assertEquals(600, counter("tx", "passed"));
  }

  @Test
  void appsOnTheThreadOfATileNeedThePlatform() {
    core.create("n", settings());
    NetException app = assertThrows(NetException.class, () -> core.createApp("back", echo("tile")));
    assertEquals(Errno.EINVAL, app.code());
    assertTrue(app.getMessage().startsWith("thread: "), app.getMessage());
    core.set("n", Map.of("placement", "agent"));
    core.createApp("back", echo("tile"));
    NetException net =
        assertThrows(NetException.class, () -> core.set("n", Map.of("placement", "process")));
    assertEquals(Errno.EINVAL, net.code());
    assertTrue(net.getMessage().startsWith("placement: "), net.getMessage());
  }

  @Test
  void theEndOfANetEndsItsProcesses() {
    start();
    until(() -> process().standby().isPresent());
    TileProcessInfo process = process();
    assertTrue(core.remove("n"));
    assertFalse(ChildProcess.kill(process.pid().orElseThrow()));
    assertFalse(ChildProcess.kill(process.standby().orElseThrow()));
  }
}
