package io.isle.fabric.ring.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.fabric.LayerRange;
import io.isle.api.fabric.NodeState;
import io.isle.api.fabric.RingEndpoint;
import io.isle.api.fabric.RingStage;
import io.isle.fabric.ring.admin.CounterTotals;
import io.isle.fabric.ring.link.FabricAgent;
import io.isle.fabric.ring.process.OwnNode;
import io.isle.fabric.ring.process.child.NodeProcess;
import io.isle.fabric.ring.settings.NodeSettings;
import io.isle.fabric.ring.stage.MixStage;
import io.isle.fabric.tcp.TcpTransport;
import io.isle.lib.ffi.ChildProcess;
import io.isle.lib.net.Names;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A master of this process and a tail in one of its own, by TCP. */
@Timeout(120)
class OwnProcessTest {
  private static final int BYTES = TestRing.BYTES;
  private static final long SECOND = TestRing.SECOND;
  private static final int REPLY = 1;
  private static final int[] LAYERS = {4, 5, 6, 7, 8, 9, 10, 11};

  private final Arena arena = Arena.ofShared();
  private final FabricAgent agent = new FabricAgent(() -> {});
  private final List<Integer> ports = FreePorts.tcp(2);
  private final MemorySegment packet = arena.allocate(BYTES, 8);
  private final MemorySegment into = arena.allocate(BYTES, 8);
  private final CounterTotals totals = new CounterTotals();
  private final ClassPathParts parts =
      new ClassPathParts(TcpTransport.class, Names.class, ConfirmingStage.class);
  private RingNode master;
  private OwnNode tail;
  private RingEndpoint endpoint;

  private static NodeSettings settings(Map<String, String> other, int listen, int next) {
    Map<String, String> given = new HashMap<>(other);
    given.put("dim", "" + TestRing.DIM);
    given.put("layers", "" + TestRing.LAYERS);
    given.put("listen", "tcp://127.0.0.1:" + listen);
    given.put("next", "tcp://127.0.0.1:" + next);
    return NodeSettings.of(given);
  }

  private void open(String dialect, String stageName, RingStage stage) {
    Map<String, String> given =
        new HashMap<>(Map.of("prev.dialect", dialect, "next.dialect", dialect));
    given.put("role", "master");
    master = new RingNode("m", settings(given, ports.get(0), ports.get(1)), agent);
    given.putAll(
        Map.of("role", "tail", "start", "4", "end", "12", "process", "own", "stage", stageName));
    tail =
        new OwnNode(
            "t",
            settings(given, ports.get(1), ports.get(0)),
            parts,
            totals::keep,
            (ring, teller, change) -> {});
    tail.use(stageName, stage);
    for (Node node : List.of(master, tail)) {
      node.attach("tcp", new TcpTransport());
    }
    endpoint = master.open(new TestCapability(), TestRing.NO_RECORD, () -> {});
  }

  @AfterEach
  void close() {
    if (tail != null) {
      tail.close();
    }
    if (master != null) {
      master.close();
    }
    agent.close();
    arena.close();
  }

  private void roundTrips(int from, int count, int... layers) {
    for (int pos = from; pos < from + count; pos++) {
      TestPackets.write(packet, pos, REPLY, pos);
      assertEquals(BYTES, endpoint.sendNext(packet, 0, BYTES, 30 * SECOND));
      assertEquals(BYTES, endpoint.recvPrev(into, 0, BYTES, 30 * SECOND));
      TestPackets.assertMixed(into, pos, pos, layers);
    }
  }

  private long pid() {
    while (tail.process().orElseThrow().pid().isEmpty()) {
      Thread.onSpinWait();
    }
    return tail.process().orElseThrow().pid().getAsLong();
  }

  private static String status(long pid, String file) throws Exception {
    return Files.readString(Path.of("/proc/" + pid + "/" + file)).replace('\0', ' ');
  }

  @Test
  void aKilledProcessComesBackAndAClosedOneLeavesNothing() throws Exception {
    open("isle", "mix", new MixStage());
    roundTrips(0, 50, LAYERS);
    assertEquals(NodeState.RUNNING, tail.info().state());
    assertEquals(50, tail.info().next().counters().framesSent());
    assertTrue(tail.hop().isPresent());

    long first = pid();
    assertEquals(NodeProcess.COMM, status(first, "comm").strip());
    assertTrue(status(first, "cmdline").strip().endsWith(" t"), status(first, "cmdline"));
    assertTrue(ChildProcess.kill(first));
    while (tail.process().orElseThrow().starts() < 2 || tail.info().state() != NodeState.RUNNING) {
      Thread.onSpinWait();
    }
    long second = pid();
    assertTrue(second != first);
    roundTrips(51, 50, LAYERS);
    assertEquals(50, tail.info().next().counters().framesSent());
    assertEquals(List.of(new LayerRange(2, 12, true)), endpoint.resize(List.of(2, 12)));
    assertEquals(Optional.of(new LayerRange(2, 12, true)), tail.info().range());

    ProcessHandle process = ProcessHandle.of(second).orElseThrow();
    tail.close();
    assertFalse(process.isAlive());
    assertEquals(NodeState.CLOSED, tail.info().state());
    try (var free = new ServerSocket(ports.get(1), 1, InetAddress.getLoopbackAddress())) {
      assertTrue(free.isBound());
    }
  }

  /** As at the end of a job whose fault has killed the process just now. */
  @Test
  void aNodeThatIsClosedJustAfterAKillLeavesNothing() {
    open("isle", "mix", new MixStage());
    roundTrips(0, 1, LAYERS);
    assertTrue(ChildProcess.kill(pid()));
    tail.close();
    assertEquals(NodeState.CLOSED, tail.info().state());
    assertEquals(
        List.of(),
        ProcessHandle.current()
            .children()
            .filter(one -> one.info().commandLine().orElse("").contains("NodeProcess"))
            .toList());
  }

  /** Of dialect leap, a neighbour would lose packets with its connection. */
  @Test
  void anUpdateOfATransportInTheProcessIsNotNoticed() {
    open("leap", "mix", new MixStage());
    roundTrips(0, 20, LAYERS);
    for (int version = 0; version < 3; version++) {
      for (int pos = 1; pos < 20; pos++) {
        TestPackets.write(packet, pos, REPLY, pos);
        assertEquals(BYTES, endpoint.sendNext(packet, 0, BYTES, 30 * SECOND));
      }
      assertTrue(tail.detach("tcp"));
      tail.attach("tcp", new TcpTransport());
      for (int pos = 1; pos < 20; pos++) {
        assertEquals(BYTES, endpoint.recvPrev(into, 0, BYTES, 30 * SECOND));
        TestPackets.assertMixed(into, pos, pos, LAYERS);
      }
    }
    assertEquals(1, master.info().next().counters().paths());
    assertEquals(0, tail.info().prev().counters().cut());
    assertEquals(1, tail.process().orElseThrow().starts());
  }

  @Test
  void aStageOfAnotherBundleRunsInTheProcess() {
    open("isle", "confirm", new ConfirmingStage());
    TestPackets.write(packet, 0, REPLY, 0);
    assertEquals(BYTES, endpoint.sendNext(packet, 0, BYTES, 30 * SECOND));
    assertEquals(BYTES, endpoint.recvPrev(into, 0, BYTES, 30 * SECOND));
    assertEquals(pid(), into.get(ValueLayout.JAVA_LONG_UNALIGNED, 8));
    assertEquals(1, into.get(ValueLayout.JAVA_BYTE, 16), "the stage has a class loader of its own");
  }

  @Test
  void aPlatformThatIsKilledLeavesNoProcess() throws Exception {
    for (String state : List.of("running", "stopped")) {
      Process platform =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "--enable-native-access=ALL-UNNAMED",
                  "-cp",
                  System.getProperty("java.class.path"),
                  Platform.class.getName(),
                  state)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      try (BufferedReader said =
          new BufferedReader(
              new InputStreamReader(platform.getInputStream(), StandardCharsets.UTF_8))) {
        ProcessHandle node = ProcessHandle.of(Long.parseLong(said.readLine())).orElseThrow();
        assertTrue(ChildProcess.kill(platform.pid()));
        ProcessHandle ended = node.onExit().join();
        assertFalse(ended.isAlive(), state);
      } finally {
        Process ignored = platform.destroyForcibly();
      }
    }
  }

  /** A platform with a node in another process. */
  static final class Platform {
    private Platform() {}

    public static void main(String[] args) throws InterruptedException {
      Map<String, String> given = Map.of("role", "relay", "process", "own");
      ClassPathParts parts = new ClassPathParts(TcpTransport.class, Names.class);
      OwnNode node =
          new OwnNode("o", settings(given, 1, 2), parts, any -> {}, (ring, teller, change) -> {});
      while (node.process().orElseThrow().pid().isEmpty()) {
        Thread.sleep(1);
      }
      long pid = node.process().orElseThrow().pid().getAsLong();
      if (args[0].equals("stopped") && !ChildProcess.stop(pid)) {
        throw new IllegalStateException("the process cannot be stopped");
      }
      System.out.println(pid);
      Thread.sleep(3_600_000);
    }
  }
}
