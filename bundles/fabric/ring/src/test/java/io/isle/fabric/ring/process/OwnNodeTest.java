package io.isle.fabric.ring.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.fabric.FailureCause;
import io.isle.api.fabric.NodeFailure;
import io.isle.api.fabric.NodeState;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.api.fabric.RingSide;
import io.isle.fabric.ring.health.FailureChange;
import io.isle.fabric.ring.process.wire.Answer;
import io.isle.fabric.ring.process.wire.Order;
import io.isle.fabric.ring.process.wire.Part;
import io.isle.fabric.ring.settings.NodeSettings;
import io.isle.fabric.ring.stage.MixStage;
import io.isle.fabric.ring.stage.PassStage;
import io.isle.fabric.tcp.TcpTransport;
import io.isle.fabric.udp.UdpTransport;
import io.isle.lib.jvm.RestartDelays;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node whose processes a test plays. */
@Timeout(60)
class OwnNodeTest {
  private static final NodeSettings SETTINGS = settings(Map.of());
  private static final Part TCP = part(Part.Kind.TRANSPORT, "tcp");
  private static final Part UDP = part(Part.Kind.TRANSPORT, "udp");
  private static final Part MIX = part(Part.Kind.STAGE, "mix");

  private final BlockingQueue<FakeProcess> started = new LinkedBlockingQueue<>();
  private final BlockingQueue<RingNodeInfo> ended = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> news = new LinkedBlockingQueue<>();
  private final List<FakeProcess> all = new CopyOnWriteArrayList<>();
  private final BlockingQueue<RingException> failures = new LinkedBlockingQueue<>();
  private final Semaphore starts = new Semaphore(0);
  private final BlockingQueue<String> released = new LinkedBlockingQueue<>();
  private String refusal = "";

  private final PartSource source =
      new PartSource() {
        @Override
        public List<Path> classPath() {
          return List.of();
        }

        @Override
        public Part part(Part.Kind kind, String name, Object service) {
          if (name.equals(refusal)) {
            throw new RingException(Errno.ENOTSUP, name + " is not to be had");
          }
          return OwnNodeTest.part(kind, name);
        }

        @Override
        public void release(Part part) {
          released.add(part.name());
        }
      };

  private final OwnNode node =
      new OwnNode(
          "w",
          SETTINGS,
          source,
          this::start,
          new RestartDelays(Duration.ofMillis(1), Duration.ofMillis(10)),
          ended::add,
          (ring, teller, change) -> news.add(teller + " " + change.failure().node()));

  private static Part part(Part.Kind kind, String name) {
    return new Part(kind, name, "a.B", List.of());
  }

  private static NodeSettings settings(Map<String, String> other) {
    Map<String, String> given =
        new HashMap<>(
            Map.of(
                "dim", "64",
                "stage", "mix",
                "listen", "tcp://127.0.0.1:1",
                "next", "tcp://127.0.0.1:2",
                "process", "own"));
    given.putAll(other);
    return NodeSettings.of(given);
  }

  private NodeChild start(String name, long heapBytes, BooleanSupplier givenUp) {
    assertEquals(64 << 20, heapBytes);
    awaitPermit(givenUp);
    RingException failure = failures.poll();
    if (failure != null) {
      throw failure;
    }
    FakeProcess process = new FakeProcess(100 + all.size());
    all.add(process);
    started.add(process);
    return process.child(name);
  }

  /** As the real one, a start ends when nobody wants the process any more. */
  private void awaitPermit(BooleanSupplier givenUp) {
    try {
      while (!starts.tryAcquire(10, TimeUnit.MILLISECONDS)) {
        if (givenUp.getAsBoolean()) {
          throw new RingException(Errno.ENODEV, "nobody wants the process any more");
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The next process, which knows its node. */
  private FakeProcess next() throws InterruptedException {
    starts.release();
    FakeProcess process = started.take();
    assertEquals(new Order.Open("w", node.settings()), process.order());
    return process;
  }

  @AfterEach
  void close() {
    node.leave();
    starts.release(1000);
    all.forEach(process -> process.exit(0));
    node.close();
    all.forEach(process -> process.line.close());
  }

  /** The process has sent its first report, without a question. */
  private void reported(FakeProcess process) {
    if (!node.process().orElseThrow().reason().isEmpty()) {
      process.send(Reported.report(0, "w", SETTINGS));
    }
    while (!node.process().orElseThrow().reason().isEmpty()) {
      Thread.onSpinWait();
    }
  }

  private RingNodeInfo info(FakeProcess process, Consumer<Order.Ask> answering) throws Exception {
    reported(process);
    FutureTask<RingNodeInfo> asked = new FutureTask<>(node::info);
    Thread ignored = Thread.ofVirtual().start(asked);
    answering.accept((Order.Ask) process.order());
    return asked.get();
  }

  @Test
  void aProcessGetsTheNodeAndThePartsThatTheSettingsName() throws Exception {
    FakeProcess process = next();
    node.attach("udp", new UdpTransport());
    node.attach("tcp", new TcpTransport());
    node.use("pass", new PassStage());
    node.use("mix", new MixStage());
    assertEquals(new Order.Attach(TCP), process.order());
    assertEquals(new Order.Attach(MIX), process.order());
    NodeSettings moved = settings(Map.of("next", "udp://127.0.0.1:3"));
    assertTrue(node.canChangeTo(moved));
    node.change(moved, name -> null);
    assertEquals(new Order.Attach(UDP), process.order());
    assertEquals(new Order.Change(moved), process.order());
    assertEquals(moved, node.settings());
    assertTrue(node.detach("udp"));
    assertEquals(new Order.Detach(Part.Kind.TRANSPORT, "udp"), process.order());
    node.dropParked("udp");
    assertEquals(new Order.Drop("udp"), process.order());
    node.use("mix", null);
    assertEquals(new Order.Detach(Part.Kind.STAGE, "mix"), process.order());
    process.exit(0);
    FakeProcess again = next();
    assertEquals(new Order.Attach(TCP), again.order());
    again.exit(0);
  }

  @Test
  void theFilesOfAPartStayUntilTheProcessHasGivenItUp() throws Exception {
    FakeProcess process = next();
    node.attach("tcp", new TcpTransport());
    node.attach("tcp", new TcpTransport());
    for (Order order :
        List.of(
            new Order.Attach(TCP),
            new Order.Detach(Part.Kind.TRANSPORT, "tcp"),
            new Order.Attach(TCP))) {
      assertEquals(order, process.order());
    }
    reported(process);
    assertTrue(released.isEmpty(), "this report may be older than the order");
    RingNodeInfo ignored =
        info(process, ask -> process.send(Reported.report(ask.number(), "w", SETTINGS)));
    assertEquals(List.of("tcp"), List.copyOf(released));
    assertTrue(node.detach("tcp"));
    node.attach("udp", new UdpTransport());
    assertTrue(!node.detach("udp"));
    assertEquals(List.of("tcp", "udp"), List.copyOf(released), "no process has had the last one");
    node.use("mix", new MixStage());
    process.exit(0);
    node.close();
    assertEquals(List.of("tcp", "udp", "tcp", "mix"), List.copyOf(released));
  }

  @Test
  void otherSettingsThanThoseOfLinksNeedAnotherNode() {
    assertTrue(!node.canChangeTo(settings(Map.of("heap_bytes", "32m"))));
    assertTrue(!node.canChangeTo(settings(Map.of("process", "shared"))));
  }

  @Test
  void theStateIsWhatTheProcessReports() throws Exception {
    assertEquals(NodeState.WAITING, node.info().state());
    assertEquals(PortState.CLOSED, node.info().prev().state());
    FakeProcess process = next();
    for (int i = 1; i < 4; i++) {
      RingNodeInfo info =
          info(process, ask -> process.send(Reported.report(ask.number(), "w", SETTINGS)));
      assertEquals(Reported.report(i, "w", SETTINGS).node(), info);
    }
    assertEquals(111, node.failure(RingSide.NEXT));
    assertEquals(OptionalLong.of(100), node.process().orElseThrow().pid());
    assertEquals("", node.process().orElseThrow().reason());
  }

  @Test
  void aProblemOfAPartIsTheReasonOfTheNode() throws Exception {
    FakeProcess process = next();
    RingNodeInfo info =
        info(
            process,
            ask -> {
              Answer.Report well = Reported.report(ask.number(), "w", SETTINGS);
              process.send(
                  new Answer.Report(ask.number(), well.node(), Optional.empty(), 0, 0, "no class"));
            });
    assertEquals(NodeState.FAILED, info.state());
    assertEquals("no class", info.reason());
  }

  @Test
  void aStageThatCannotRunElsewhereIsTheReasonOfTheNode() throws Exception {
    FakeProcess process = next();
    refusal = "mix";
    node.use("mix", new MixStage());
    RingNodeInfo info =
        info(process, ask -> process.send(Reported.report(ask.number(), "w", SETTINGS)));
    assertEquals(NodeState.FAILED, info.state());
    assertEquals("mix is not to be had", info.reason());
    refusal = "";
    node.use("mix", new MixStage());
    assertEquals(new Order.Attach(MIX), process.order());
  }

  @Test
  void aProcessThatEndsIsReplacedAndItsLastReportKept() throws Exception {
    FakeProcess first = next();
    first.send(Reported.report(0, "w", SETTINGS));
    first.exit(137);
    assertEquals("w", ended.take().name());
    FakeProcess second = next();
    assertEquals(101, second.pid());
    while (node.process().orElseThrow().pid().isEmpty()) {
      Thread.onSpinWait();
    }
    assertEquals(2, node.process().orElseThrow().starts());
    second.exit(1);
    while (!node.process().orElseThrow().reason().contains("exited with code 1, 2 times")) {
      Thread.onSpinWait();
    }
    assertEquals(NodeState.FAILED, node.info().state());
    FakeProcess third = next();
    assertEquals(102, third.pid());
    assertTrue(ended.isEmpty(), "the second one has reported nothing");
  }

  @Test
  void whatCannotBeStartedIsTriedAgain() throws Exception {
    FakeProcess first = next();
    failures.add(new RingException(Errno.EIO, "no processes are left"));
    failures.add(new RingException(Errno.EIO, "no processes are left"));
    starts.release(2);
    first.exit(0);
    while (!node.info().reason().startsWith("no processes are left, 3 times")) {
      Thread.onSpinWait();
    }
    assertEquals(NodeState.FAILED, node.info().state());
    FakeProcess second = next();
    assertEquals(101, second.pid());
  }

  @Test
  void aProcessThatViolatesTheProtocolIsEnded() throws Exception {
    NodeSettings other = settings(Map.of("ring", "other"));
    NodeSettings larger = settings(Map.of("dim", "65"));
    NodeSettings elsewhere = settings(Map.of("listen", "tcp://127.0.0.1:3"));
    NodeSettings toAnother = settings(Map.of("next", "tcp://127.0.0.1:3"));
    List<Consumer<FakeProcess>> violations =
        List.of(
            process -> process.sendRaw(new byte[] {77, 1, 2}),
            process -> process.sendRaw(new byte[60_000]),
            process -> process.sendRaw(new byte[] {1, 0, 0, 0, 0, 0}, 0),
            process -> process.sendRaw(new byte[] {1, 0, 0, 0, 0, 0}, 0, 1),
            process -> process.send(Reported.report(0, "x", SETTINGS)),
            process -> process.send(Reported.report(9, "w", SETTINGS)),
            process -> process.send(Reported.report(-1, "w", SETTINGS)),
            process -> process.send(Reported.report(0, "w", other)),
            process -> process.send(Reported.report(0, "w", larger)),
            process -> process.send(Reported.report(0, "w", elsewhere)),
            process -> process.send(Reported.report(0, "w", toAnother)));
    for (Consumer<FakeProcess> violation : violations) {
      FakeProcess process = next();
      violation.accept(process);
      process.awaitEnd();
      assertEquals(137, process.exitValue());
    }
    assertTrue(ended.isEmpty(), "a wrong report counts for nothing");
  }

  @Test
  void aProcessMayShowTheAddressesOfBeforeUntilItHasMoved() throws Exception {
    FakeProcess process = next();
    NodeSettings moved = settings(Map.of("next", "tcp://127.0.0.1:3"));
    node.change(moved, name -> null);
    assertEquals(new Order.Change(moved), process.order());
    for (NodeSettings shown : List.of(SETTINGS, SETTINGS, moved)) {
      RingNodeInfo info =
          info(process, ask -> process.send(Reported.report(ask.number(), "w", shown)));
      assertEquals(List.of(shown.next().toString()), info.next().addresses());
    }
    process.send(Reported.report(0, "w", SETTINGS));
    process.awaitEnd();
    assertEquals(137, process.exitValue());
  }

  @Test
  void aProcessThatReadsNoOrdersIsEnded() throws Exception {
    FakeProcess process = next();
    for (int i = 0; process.isAlive(); i++) {
      node.change(settings(Map.of("next", "tcp://127.0.0.1:" + (1 + i % 60_000))), name -> null);
    }
    FakeProcess next = next();
    assertEquals(101, next.pid());
  }

  private static Answer.News news(String of) {
    return new Answer.News(
        new FailureChange(
            new NodeFailure(of, "", FailureCause.CUT, 1, 2, 3, 0, List.of("w"), "cut", "look"),
            true));
  }

  @Test
  void newsOfFailedNodesReachThePlatformUpToALimit() throws Exception {
    FakeProcess process = next();
    for (int i = 0; i < 1000; i++) {
      process.send(news("x"));
    }
    assertEquals("w x", news.take());
    process.send(news("no name"));
    process.awaitEnd();
    assertTrue(news.size() < 200, "twenty a second pass");
  }

  @Test
  void aSilentProcessHoldsNobodyUpForLong() throws Exception {
    FakeProcess process = next();
    reported(process);
    assertEquals(NodeState.RUNNING, node.info().state());
    while (!node.process().orElseThrow().reason().contains("kill -CONT 100")) {
      long begin = System.nanoTime();
      RingNodeInfo ignored = node.info();
      assertTrue(System.nanoTime() - begin < Reports.WAIT_NS, "asked again and again");
    }
    assertEquals(NodeState.FAILED, node.info().state());
    process.send(Reported.report(1, "w", SETTINGS));
    while (!node.process().orElseThrow().reason().isEmpty()) {
      Thread.onSpinWait();
    }
    process.exit(0);
  }

  @Test
  void theEndIsThatOfTheProcess() throws Exception {
    FakeProcess process = next();
    FutureTask<Order> order = new FutureTask<>(process::order);
    Thread ignored =
        Thread.ofVirtual()
            .start(
                () -> {
                  order.run();
                  process.send(Reported.report(0, "w", SETTINGS));
                  process.exit(0);
                });
    node.close();
    assertEquals(new Order.Leave(), order.get());
    assertEquals(1, ended.size());
    assertEquals(NodeState.CLOSED, node.info().state());
    assertEquals(OptionalLong.empty(), node.process().orElseThrow().pid());
    assertTrue(started.isEmpty());
  }

  @Test
  void aProcessThatDoesNotLeaveIsKilled() throws Exception {
    FakeProcess process = next();
    node.close();
    assertEquals(137, process.exitValue());
  }

  @Test
  void aMasterIsRefusedWithTheKey() {
    RingException refused =
        assertThrows(RingException.class, () -> settings(Map.of("role", "master")));
    assertTrue(refused.getMessage().startsWith("process: own is for"), refused.getMessage());
  }
}
