package io.isle.net.xdp.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.net.FrameMatch;
import io.isle.api.net.NetException;
import io.isle.api.net.NetFinding;
import io.isle.api.net.NetInfo;
import io.isle.api.net.NetState;
import io.isle.lib.ffi.PeerCredentials;
import io.isle.lib.packet.UdpFrame;
import io.isle.lib.packet.capture.CaptureReader;
import io.isle.lib.packet.capture.Direction;
import io.isle.net.apps.CaptureApp;
import io.isle.net.xdp.bpf.RedirectProgram;
import io.isle.net.xdp.bpf.XdpLink;
import io.isle.net.xdp.bpf.XdpProgram;
import io.isle.net.xdp.bpf.XskMap;
import io.isle.net.xdp.netlink.LinkRequests;
import io.isle.net.xdp.netlink.RouteRequests;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.foreign.ValueLayout;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nets, apps and captures as users make and change them. */
@Timeout(120)
class NetCoreTest extends NetFixture {
  private static final int NOBODY = 65534;
  private static final ValueLayout.OfInt BIG_INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  @ParameterizedTest
  @CsvSource({"skb, own", "drv, own", "skb, tile", "drv, tile"})
  void everyFrameReachesTheAppOnce(String mode, String thread) throws IOException {
    core.create("n", settings("mode", mode));
    app("count", "drop", thread);
    running();
    until(() -> app("count").running());
    assertEquals(mode, core.find("n").orElseThrow().mode());
    try (DatagramSocket client = client()) {
      for (int i = 1; i <= 1000; i++) {
        client.send(packet(i, PORT));
        int sent = i;
        until(() -> app("count").received() >= sent - 200);
      }
    }
    until(() -> app("count").received() == 1000);
    assertEquals(0, app("count").overruns());
    assertEquals(1000, counter("rx", "seen"));
    assertEquals(1000, counter("rx", "passed"));
  }

  @ParameterizedTest
  @CsvSource({"own, true", "tile, true", "own, false"})
  void framesComeBackWhileTilesAreOpenedAnew(String thread, boolean reload) throws IOException {
    core.create("n", settings());
    app("back", "echo", thread);
    running();
    until(() -> app("back").running());
    try (DatagramSocket client = client()) {
      client.setSoTimeout(20_000);
      byte[] into = new byte[64];
      for (int i = 0; i < 2000; i++) {
        client.send(packet(i, PORT));
        if (i % 100 == 50 && reload) {
          core.reload("n");
        } else if (i % 100 == 50) {
          core.remove(tiles);
          assertEquals(NetState.RUNNING, core.find("n").orElseThrow().state());
          core.add(tiles);
        }
        receive(client, into);
        assertEquals(i, ByteBuffer.wrap(into).getInt());
      }
    }
    assertEquals(2000, counter("rx", "seen"));
    assertEquals(2000, counter("tx", "passed"));
    assertTrue(counter("tile", "opened") > 20);
  }

  /** Frames of a flow come by one queue, which the kernel chooses. */
  @Tag(TWO_QUEUES)
  @ParameterizedTest
  @ValueSource(strings = {"1", "2"})
  void queuesWithoutATileAreExplained(String tiles) throws IOException {
    core.create("n", settings("mode", "drv", "tiles", tiles));
    app("count", "drop", "own");
    running();
    until(() -> app("count").running());
    int flows = 64;
    for (int i = 0; i < flows; i++) {
      try (DatagramSocket client = client()) {
        client.send(packet(i, PORT));
      }
    }
    boolean all = tiles.equals("2");
    until(() -> app("count").received() + missed() == flows);
    assertEquals(all ? 0 : 1, missed() == 0 ? 0 : 1);
    assertEquals(
        all,
        core.explain("n").stream()
            .filter(one -> one.subject().equals("queues"))
            .allMatch(NetFinding::ok));
  }

  private long missed() {
    return core.explain("n").stream()
        .filter(one -> one.subject().equals("queues") && !one.ok())
        .mapToLong(one -> Long.parseLong(one.text().split(" ", 2)[0]))
        .sum();
  }

  @Test
  void otherFramesReachTheKernel() throws IOException {
    core.create("n", settings("address", "198.18.0.2"));
    app("count", "drop", "own");
    running();
    until(() -> app("count").running());
    try (DatagramSocket client = client();
        DatagramSocket kernel =
            pair.b.call(
                () -> {
                  try {
                    return new DatagramSocket(9001, InetAddress.getByName("198.18.0.2"));
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                })) {
      kernel.setSoTimeout(20_000);
      client.send(packet(7, 9001));
      byte[] into = new byte[64];
      kernel.receive(new DatagramPacket(into, into.length));
      assertEquals(7, ByteBuffer.wrap(into).getInt());
    }
    assertEquals(0, app("count").received());
  }

  /** The first answer is lost, and the kernel is asked: so later ones arrive. */
  @Test
  void aNeighbourThatIsMissedIsAskedFor() throws IOException {
    new RouteRequests(pair.kernelB).removeNeighbour(pair.vb().index(), A);
    core.create("n", settings());
    app("back", "echo", "own");
    running();
    until(() -> app("back").running());
    try (DatagramSocket client = client()) {
      client.setSoTimeout(50);
      byte[] into = new byte[64];
      boolean answered = false;
      for (int i = 0; i < 400 && !answered; i++) {
        client.send(packet(i, PORT));
        try {
          client.receive(new DatagramPacket(into, into.length));
          answered = true;
        } catch (SocketTimeoutException e) {
          // not known yet
        }
      }
      assertTrue(answered, this::counters);
    }
    assertTrue(counter("tx", "no_neighbor") >= 1);
  }

  private void createCounter() throws IOException {
    int user = PeerCredentials.ownUid() == 0 ? NOBODY : PeerCredentials.ownUid();
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    core.create("n", settings("app_frames", "4096"));
    core.createApp(
        "counter",
        Map.of("uid", Integer.toString(user), "nets", "n", "ports", "9000", "depth", "4096"));
    running();
  }

  private Process counterProcess() throws IOException {
    Path program = Path.of(System.getProperty("isle.native")).resolve("net-peer");
    return new ProcessBuilder(
            program.toString(), folder.resolve("net-n.sock").toString(), "counter")
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /** The process of before loses its links; another one counts as the only one. */
  @Test
  void anAppOfProcessesThatIsChangedIsAttachedAgain() throws IOException, InterruptedException {
    createCounter();
    Process first = counterProcess();
    try {
      until(() -> app("counter").running());
      core.setApp("counter", Map.of("depth", "2048"));
      until(() -> core.find("n").orElseThrow().ports().isEmpty());
      Process second = counterProcess();
      try {
        until(() -> app("counter").running());
      } finally {
        second.destroyForcibly();
        int ignored = second.waitFor();
      }
      until(() -> !app("counter").running());
    } finally {
      first.destroyForcibly();
      int ignored = first.waitFor();
    }
  }

  /** A program in C of another user, by its socket file; then it is killed. */
  @Test
  void aProcessCountsWhatTheTileCounts() throws IOException, InterruptedException {
    createCounter();
    Process process = counterProcess();
    try (BufferedReader out = process.inputReader(StandardCharsets.US_ASCII)) {
      assertTrue(out.readLine().startsWith("attached 0 0 1 2048 "));
      until(() -> app("counter").running());
      int frames = 3000;
      try (Writer in = process.outputWriter(StandardCharsets.US_ASCII)) {
        in.write("count " + frames + "\n");
        in.flush();
        try (DatagramSocket client = client()) {
          for (int i = 1; i <= frames; i++) {
            client.send(packet(i, PORT));
            int sent = i;
            until(() -> sent % 100 != 0 || counter("rx", "seen") >= sent - 200);
          }
        }
        assertTrue(out.readLine().startsWith(frames + " 0 0 "));
        core.reload("n");
      }
    } finally {
      process.destroyForcibly();
      int ignored = process.waitFor();
    }
    assertEquals(3000, counter("rx", "passed"));
    until(() -> !app("counter").running());
    app("count", "drop", "own");
    until(() -> app("count").running());
  }

  @Test
  void aCaptureHasTheFramesOfBothDirections() throws IOException {
    core.add("capture", new CaptureApp());
    core.create("n", settings());
    app("back", "echo", "own");
    Path file = folder.resolve("n.pcapng");
    core.createApp(
        "shot", Map.of("kind", "capture", "nets", "n", "out", file.toString(), "name", "n"));
    running();
    until(() -> app("back").running() && app("shot").running());
    try (DatagramSocket client = client()) {
      client.setSoTimeout(20_000);
      byte[] into = new byte[64];
      for (int i = 0; i < 500; i++) {
        client.send(packet(i, PORT));
        if (i == 250) {
          core.reload("n");
        }
        receive(client, into);
      }
      until(() -> app("shot").received() == 1000);
      assertEquals(0, app("shot").overruns());
      assertTrue(core.removeApp("shot"));
      client.send(packet(500, PORT));
      receive(client, into);
    }
    int[] next = new int[Direction.values().length];
    try (CaptureReader reader = CaptureReader.open(Files.newInputStream(file), "n.pcapng")) {
      while (reader.next()) {
        int number = reader.memory().get(BIG_INT, UdpFrame.MIN_BYTES);
        assertEquals(next[reader.direction().ordinal()]++, number);
        assertEquals(0, reader.lost());
        assertEquals("", reader.comment());
        assertEquals("n", reader.interfaceName());
      }
    }
    assertEquals(500, next[Direction.INBOUND.ordinal()]);
    assertEquals(500, next[Direction.OUTBOUND.ordinal()]);
  }

  @Test
  void anAppIsToldWhatDoesNotGoWithItsKind() {
    core.add("capture", new CaptureApp());
    core.create("n", settings());
    core.createApp("deaf", Map.of("kind", "drop", "nets", "n"));
    core.createApp("shot", Map.of("kind", "capture", "nets", "n", "ports", "9000"));
    core.createApp("slow", Map.of("kind", "capture", "nets", "n", "thread", "tile"));
    core.createApp("lost", Map.of("kind", "capture", "nets", "n", "out", "relative"));
    until(() -> app("deaf").reason().startsWith("ports: none are given"));
    until(() -> app("shot").reason().startsWith("ports: an app of kind capture"));
    until(() -> app("slow").reason().startsWith("thread: an app of kind capture"));
    until(() -> app("lost").reason().startsWith("out: 'relative' is no absolute path"));
  }

  @Test
  void anInterfaceThatComesLaterIsTaken() {
    core.create("n", settings("interface", "later"));
    NetInfo failed = core.find("n").orElseThrow();
    assertEquals(NetState.FAILED, failed.state());
    assertTrue(failed.reason().contains("later"), failed.reason());
    new LinkRequests(pair.kernelB).addVeth("later", "peer", pair.b, 1);
    running();
  }

  /** The interface is free when the net is made, and not when its first app comes. */
  @Test
  void aProgramOfSomebodyElseIsNeverReplaced() {
    core.create("n", settings());
    running();
    FrameMatch match = new FrameMatch(List.of(7), OptionalInt.empty(), false);
    try (XskMap map = new XskMap(1);
        XdpProgram program = XdpProgram.load(RedirectProgram.of(match, map.descriptor()));
        XdpLink link =
            pair.b.call(() -> XdpLink.attach(program, pair.vb().index(), XdpLink.Mode.SKB))) {
      assertTrue(link.descriptor() >= 0);
      app("count", "drop", "own");
      until(() -> core.find("n").orElseThrow().state() == NetState.FAILED);
      String reason = core.find("n").orElseThrow().reason();
      assertTrue(reason.contains("program"), reason);
      assertFalse(app("count").running());
    }
    running();
    until(() -> app("count").running());
  }

  @Test
  void anInterfaceThatGoesIsTold() {
    core.create("n", settings());
    running();
    new LinkRequests(pair.kernelA).delete(pair.va().index());
    until(() -> core.find("n").orElseThrow().state() == NetState.FAILED);
  }

  @Test
  void limitsAreNamed() {
    core.create("n", settings("app_frames", "512"));
    app("first", "drop", "own");
    running();
    until(() -> app("first").running());
    core.createApp("second", Map.of("kind", "drop", "nets", "n", "ports", "9000", "depth", "512"));
    until(() -> app("second").reason().contains("9000"));
    core.setApp("second", Map.of("ports", "9001"));
    until(() -> app("second").reason().contains("512 frames beside 512"));
    assertTrue(app("first").running());
    NetException wrong =
        assertThrows(NetException.class, () -> core.create("m", settings("rx_queue", "1000")));
    assertEquals(Errno.EINVAL, wrong.code());
    assertTrue(wrong.getMessage().contains("rx_queue"), wrong.getMessage());
  }
}
