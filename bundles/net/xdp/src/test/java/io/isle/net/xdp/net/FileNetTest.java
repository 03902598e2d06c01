package io.isle.net.xdp.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.isle.api.base.Errno;
import io.isle.api.net.AppInfo;
import io.isle.api.net.NetException;
import io.isle.api.net.NetFinding;
import io.isle.api.net.NetInfo;
import io.isle.api.net.NetRoute;
import io.isle.api.net.NetState;
import io.isle.api.observe.AuditTrail;
import io.isle.lib.agent.ThreadedAgentHost;
import io.isle.lib.ffi.PeerCredentials;
import io.isle.lib.packet.Ipv4;
import io.isle.lib.packet.Udp;
import io.isle.lib.packet.UdpFrame;
import io.isle.lib.packet.capture.CaptureReader;
import io.isle.lib.packet.capture.Direction;
import io.isle.lib.packet.capture.LinkType;
import io.isle.lib.packet.capture.PcapWriter;
import io.isle.net.apps.CaptureApp;
import io.isle.net.apps.PktgenApp;
import io.isle.net.tile.TileService;
import io.isle.net.xdp.lab.LabRegistry;
import io.isle.net.xdp.lab.NetSpaces;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nets on capture files, which need no rights. */
@Timeout(120)
class FileNetTest {
  private static final int A = Ipv4.parse("10.0.0.1");
  private static final int B = Ipv4.parse("10.0.0.2");
  private static final int PORT = 9000;
  private static final int FRAMES = 5000;
  private static final long LIMIT_NS = 20_000_000_000L;
  private static final ValueLayout.OfInt BIG_INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  @TempDir Path folder;

  private final MemoryFiles files = new MemoryFiles();
  private final TileService tiles = new TileService();
  private ThreadedAgentHost host;
  private NetCore core;

  @BeforeEach
  void begin() {
    host = new ThreadedAgentHost(0, System::nanoTime);
    core =
        new NetCore(
            files,
            host,
            new NetSpaces(new LabRegistry()),
            folder,
            new AuditTrail(() -> null, NetException::new),
            new HostFile(folder.resolve("hosts")),
            ClassPathTiles.hosts());
    core.add(tiles);
    core.add("drop", new EchoApp(true));
    // waits for room, as apps on files should
    core.add("echo", new io.isle.net.apps.EchoApp());
    core.add("capture", new CaptureApp());
    core.add("pktgen", new PktgenApp());
  }

  @AfterEach
  void end() {
    core.close();
    host.close();
  }

  private Path in() {
    return folder.resolve("in.pcap");
  }

  private Path sent() {
    return folder.resolve("sent.pcapng");
  }

  /** Datagrams to the port with their number, and after each hundredth a frame of another kind. */
  private void write(int frames) throws IOException {
    MemorySegment frame = MemorySegment.ofArray(new byte[1900]);
    try (PcapWriter writer =
        new PcapWriter(Files.newOutputStream(in()), LinkType.ETHERNET, 65535)) {
      for (int i = 0; i < frames; i++) {
        int length = UdpFrame.write(frame, 0, A, 5000 + i % 7, B, PORT, 18);
        frame.set(BIG_INT, UdpFrame.MIN_BYTES, i);
        writer.write(0, frame, 0, length);
        if (i % 100 == 99) {
          length = UdpFrame.write(frame, 0, A, 5000, B, PORT + 1, 18);
          writer.write(0, frame, 0, length);
        }
      }
    }
  }

  private Map<String, String> settings(String... more) {
    Map<String, String> all = new HashMap<>();
    all.put("interface", "pcap:" + in());
    all.put("rx_queue", "512");
    all.put("tx_queue", "256");
    all.put("app_frames", "4096");
    for (int i = 0; i < more.length; i += 2) {
      all.put(more[i], more[i + 1]);
    }
    return all;
  }

  private void app(String name, String kind, String ports, String... more) {
    Map<String, String> all = new HashMap<>();
    all.put("kind", kind);
    all.put("nets", "n");
    all.put("ports", ports);
    all.put("depth", "256");
    for (int i = 0; i < more.length; i += 2) {
      all.put(more[i], more[i + 1]);
    }
    core.createApp(name, all);
  }

  private void until(BooleanSupplier condition) {
    long end = System.nanoTime() + LIMIT_NS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end >= 0) {
        fail(core.infos() + " " + core.apps() + " " + core.explain("n"));
      }
      Thread.onSpinWait();
    }
  }

  private NetInfo info() {
    return core.find("n").orElseThrow();
  }

  private void ended() {
    until(() -> info().state() == NetState.ENDED);
  }

  private AppInfo app(String name) {
    return core.apps().stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
  }

  private long counter(String group, String name) {
    return core.counters("n").stream()
        .filter(one -> one.group().equals(group) && one.name().equals(name))
        .mapToLong(one -> one.value())
        .sum();
  }

  private String explained(String subject) {
    return core.explain("n").stream()
        .filter(one -> one.subject().equals(subject))
        .map(NetFinding::text)
        .findFirst()
        .orElse("");
  }

  /** Numbers of the frames of a file, in their order, which begin at 0 again. */
  private static int frames(Path file, Direction direction, int round) throws IOException {
    int next = 0;
    try (CaptureReader reader = CaptureReader.open(Files.newInputStream(file), "sent")) {
      while (reader.next()) {
        if (reader.direction() == direction) {
          assertEquals(next++ % round, reader.memory().get(BIG_INT, UdpFrame.MIN_BYTES));
          assertEquals("", reader.comment());
          assertEquals(0, reader.lost());
        }
      }
    }
    return next;
  }

  /** Links have 256 lines, and the file is read as fast as the disk gives it. */
  @ParameterizedTest
  @ValueSource(strings = {"own", "tile"})
  void allFramesReachTheAppAndAllAnswersTheFile(String thread) throws IOException {
    write(FRAMES);
    core.create("n", settings("pcap_sent", sent().toString()));
    app("back", "echo", "9000", "thread", thread);
    ended();
    until(() -> app("back").received() == FRAMES);
    until(() -> counter("file", "sent") == FRAMES);
    assertEquals(0, app("back").overruns());
    assertEquals(FRAMES, counter("rx", "seen"));
    assertEquals(FRAMES, counter("rx", "passed"));
    assertEquals(FRAMES / 100, counter("file", "others"));
    assertEquals("file", info().mode());
    assertEquals(0, info().tiles().getFirst().pinnedBytes());
    assertTrue(explained("program").startsWith("50 frames are for other ports"));
    assertTrue(explained("file").startsWith("all frames of " + in() + " were read, 5050"));
    assertTrue(core.remove("n"));
    assertEquals(FRAMES, frames(sent(), Direction.OUTBOUND, FRAMES));
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(sent())));
  }

  @Test
  void answersHaveTheAddressesOfTheRoute() throws IOException {
    write(1);
    core.create("n", settings("pcap_sent", sent().toString()));
    app("back", "echo", "9000");
    until(() -> counter("file", "sent") == 1);
    assertEquals(
        List.of(new NetRoute("main", "0.0.0.0/0", 0, "unicast", "pcap:" + in(), "", "")),
        core.routes("n"));
    assertTrue(core.remove("n"));
    try (CaptureReader reader = CaptureReader.open(Files.newInputStream(sent()), "sent")) {
      assertTrue(reader.next());
      MemorySegment frame = reader.memory();
      assertEquals(0, frame.get(BIG_INT, 0));
      assertEquals(0x02000000, frame.get(BIG_INT, 6));
      assertEquals(A, Ipv4.destination(frame, 14));
      assertEquals(PORT, Udp.sourcePort(frame, UdpFrame.udp(frame, 0)));
    }
  }

  /** All apps have all frames, whoever comes first, and a capture has both directions. */
  @Test
  void aFileWaitsForAllAppsOfItsNet() throws IOException {
    write(FRAMES);
    Path shot = folder.resolve("shot.pcapng");
    core.createApp(
        "shot", Map.of("kind", "capture", "nets", "n", "out", shot.toString(), "name", "n"));
    core.create("n", settings());
    until(() -> explained("file").endsWith("no app has a port; see net:app-create"));
    app("later", "later", "9000");
    until(() -> explained("file").contains("the app later is not there: kind: no bundle offers"));
    assertEquals(NetState.RUNNING, info().state());
    assertEquals(0, counter("file", "read"));
    core.add("later", new io.isle.net.apps.EchoApp());
    ended();
    until(() -> app("shot").received() == 2 * FRAMES);
    assertEquals(0, app("shot").overruns());
    assertTrue(core.removeApp("shot"));
    assertEquals(FRAMES, frames(shot, Direction.INBOUND, FRAMES));
    assertEquals(FRAMES, frames(shot, Direction.OUTBOUND, FRAMES));
  }

  /** The file waits for the process, which has room for all frames. */
  @Test
  void aProcessIsAnApp() throws IOException, InterruptedException {
    write(2000);
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    core.create("n", settings());
    int own = PeerCredentials.ownUid();
    core.createApp(
        "counter",
        Map.of("uid", Integer.toString(own), "nets", "n", "ports", "9000", "depth", "4096"));
    until(() -> explained("file").endsWith("no process of user " + own + " has attached"));
    Path program = Path.of(System.getProperty("isle.native")).resolve("net-peer");
    Process process =
        new ProcessBuilder(
                program.toString(), folder.resolve("net-n.sock").toString(), "counter", "keep")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out = process.inputReader(StandardCharsets.US_ASCII)) {
      assertTrue(out.readLine().startsWith("attached 0 0 1 2048 "));
      ended();
      try (Writer in = process.outputWriter(StandardCharsets.US_ASCII)) {
        in.write("count 2000\n");
      }
      assertTrue(out.readLine().startsWith("2000 0 0 "));
    } finally {
      process.destroyForcibly();
      int ignored = process.waitFor();
    }
  }

  @Test
  void aReloadReadsAFileAgainThatHasEnded() throws IOException {
    write(100);
    core.create("n", settings("pcap_sent", sent().toString()));
    app("back", "echo", "9000");
    ended();
    until(() -> counter("file", "sent") == 100);
    core.reload("n");
    until(() -> counter("file", "sent") == 200);
    ended();
    // an update of the tile goes on at the end
    core.remove(tiles);
    until(() -> info().state() == NetState.WAITING);
    core.add(tiles);
    ended();
    assertEquals(200, counter("file", "read"));
    assertEquals(200, app("back").received());
    Files.delete(in());
    NetException gone = assertThrows(NetException.class, () -> core.reload("n"));
    assertEquals(Errno.EIO, gone.code());
    assertTrue(gone.getMessage().contains(in() + ": no such file"), gone.getMessage());
    assertEquals(NetState.ENDED, info().state());
    assertTrue(core.remove("n"));
    assertEquals(200, frames(sent(), Direction.OUTBOUND, 100));
  }

  @Test
  void tilesComeAndGoAmidAFile() throws IOException {
    write(50_000);
    core.create("n", settings());
    app("back", "echo", "9000");
    until(() -> counter("file", "read") > 0);
    for (int i = 0; i < 20 && info().state() != NetState.ENDED; i++) {
      core.remove(tiles);
      core.add(tiles);
    }
    ended();
    until(() -> app("back").received() == 50_000);
    assertEquals(50_000, counter("rx", "seen"));
    until(() -> counter("file", "sent") == 50_000);
  }

  /** Nobody would ever read the frames that the generator gets. */
  @Test
  void anAppThatTakesNothingStopsAFileForAMomentOnly() throws IOException {
    write(1000);
    core.create("n", settings());
    app("gen", "pktgen", "9000", "count", "10");
    ended();
    assertEquals(1000, counter("rx", "passed"));
  }

  @Test
  void aFileThatBreaksOffIsTold() throws IOException {
    write(10);
    byte[] bytes = Files.readAllBytes(in());
    Files.write(in(), Arrays.copyOf(bytes, bytes.length - 5));
    core.create("n", settings());
    app("back", "echo", "9000");
    ended();
    assertEquals(9, counter("file", "read"));
    assertTrue(info().reason().contains(in().toString()), info().reason());
    assertTrue(explained("file").startsWith("ended behind 9 frames: "), explained("file"));
    Files.write(in(), bytes);
    core.reload("n");
    until(() -> info().reason().isEmpty() && info().state() == NetState.ENDED);
    assertEquals(10, counter("file", "read"));
  }

  @Test
  void aMissingFileIsTriedAgain() throws IOException {
    core.create("n", settings());
    assertEquals(NetState.FAILED, info().state());
    assertTrue(info().reason().contains("no such file"), info().reason());
    app("back", "echo", "9000");
    write(10);
    ended();
    until(() -> app("back").received() == 10);
  }

  @Test
  void otherFilesAreRefused() throws IOException {
    Files.writeString(in(), "no capture");
    core.create("n", settings());
    assertTrue(info().reason().contains("neither as pcap nor as pcapng"), info().reason());
    core.set("n", Map.of("interface", "pcap:" + folder));
    assertTrue(info().reason().contains("no regular file"), info().reason());
    write(1);
    core.set("n", Map.of("interface", "pcap:" + in(), "pcap_sent", in().toString()));
    assertTrue(info().reason().contains("is the one that is read"), info().reason());
    Path link = Files.createSymbolicLink(folder.resolve("link"), sent());
    core.set("n", Map.of("pcap_sent", link.toString()));
    assertEquals(NetState.FAILED, info().state());
    assertTrue(Files.notExists(sent()));
    assertTrue(Files.size(in()) > 0);
  }

  @Test
  void longFramesAreSkipped() throws IOException {
    MemorySegment frame = MemorySegment.ofArray(new byte[1900]);
    try (PcapWriter writer =
        new PcapWriter(Files.newOutputStream(in()), LinkType.ETHERNET, 65535)) {
      for (int payload : new int[] {18, 1792 - 42, 1793 - 42}) {
        int length = UdpFrame.write(frame, 0, A, 5000, B, PORT, payload);
        writer.write(0, frame, 0, length);
      }
    }
    core.create("n", settings());
    app("count", "drop", "9000");
    ended();
    assertEquals(2, counter("file", "read"));
    assertEquals(1, counter("file", "skipped"));
    assertTrue(explained("skipped").contains("more than 1792 bytes"));
  }
}
