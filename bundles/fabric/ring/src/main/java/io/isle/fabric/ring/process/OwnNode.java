package io.isle.fabric.ring.process;

import io.isle.api.base.Errno;
import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.HopTimes;
import io.isle.api.fabric.LinkCounters;
import io.isle.api.fabric.LinkInfo;
import io.isle.api.fabric.NodeState;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingEndpoint;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.api.fabric.RingProcess;
import io.isle.api.fabric.RingRole;
import io.isle.api.fabric.RingSide;
import io.isle.api.fabric.RingStage;
import io.isle.api.fabric.RingTransport;
import io.isle.api.tenancy.Capability;
import io.isle.fabric.ring.health.FailureSink;
import io.isle.fabric.ring.node.ControlRecord;
import io.isle.fabric.ring.node.Node;
import io.isle.fabric.ring.process.wire.Answer;
import io.isle.fabric.ring.process.wire.Order;
import io.isle.fabric.ring.process.wire.Part;
import io.isle.fabric.ring.settings.NodeSettings;
import io.isle.fabric.ring.settings.PathAddress;
import io.isle.lib.jvm.RestartDelays;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A node in a process of its own, a plain JVM. Its reports are checked before they are passed on.
 */
public final class OwnNode implements Node {
  /** Silence after which a process counts as stopped or overloaded. */
  private static final long SILENT_NS = TimeUnit.SECONDS.toNanos(2);

  private static final LinkCounters NO_COUNTS =
      new LinkCounters(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  private final String name;
  private final WantedNode wanted;
  private final Supervisor supervisor;
  private volatile boolean closed;

  /**
   * Starts the process.
   *
   * @param ended gets the last report of each process that has ended: its counters begin at 0 again
   * @param sink receives news of failed nodes
   */
  public OwnNode(
      String name,
      NodeSettings settings,
      PartSource source,
      Consumer<RingNodeInfo> ended,
      FailureSink sink) {
    this(
        name,
        settings,
        source,
        new JvmStarter(source),
        new RestartDelays(Duration.ofMillis(100), Duration.ofSeconds(10)),
        ended,
        sink);
  }

  OwnNode(
      String name,
      NodeSettings settings,
      PartSource source,
      NodeStarter starter,
      RestartDelays delays,
      Consumer<RingNodeInfo> ended,
      FailureSink sink) {
    this.name = name;
    wanted = new WantedNode(name, settings, source);
    supervisor = new Supervisor(name, starter, delays, wanted, ended, sink);
  }

  @Override
  public NodeSettings settings() {
    return wanted.settings();
  }

  /** The process has its own versions of the transports. */
  @Override
  public void change(NodeSettings to, Function<String, RingTransport> transports) {
    wanted.change(to);
  }

  @Override
  public void retry(Function<String, RingTransport> transports) {
    wanted.change(settings());
  }

  @Override
  public void attach(String transport, RingTransport service) {
    wanted.attach(Part.Kind.TRANSPORT, transport, service);
  }

  @Override
  public boolean detach(String transport) {
    return wanted.detach(Part.Kind.TRANSPORT, transport);
  }

  @Override
  public void dropParked(String transport) {
    boolean ignored = wanted.send(new Order.Drop(transport));
  }

  @Override
  public void use(String stage, RingStage service) {
    if (service == null) {
      boolean ignored = wanted.detach(Part.Kind.STAGE, stage);
    } else {
      wanted.attach(Part.Kind.STAGE, stage, service);
    }
  }

  @Override
  public RingEndpoint open(Capability capability, ControlRecord record, Runnable onClose) {
    throw new RingException(
        Errno.EPERM,
        name + ": role is " + settings().role().text() + "; only masters have endpoints");
  }

  @Override
  public void revoked() {}

  @Override
  public void notifyListeners() {}

  @Override
  public Optional<HopTimes> hop() {
    return supervisor.reports().fresh().flatMap(Answer.Report::hop);
  }

  @Override
  public int failure(RingSide side) {
    return supervisor
        .reports()
        .last()
        .map(last -> side == RingSide.PREV ? last.prevFailure() : last.nextFailure())
        .orElse(0);
  }

  @Override
  public Optional<RingProcess> process() {
    RingProcess now = supervisor.state();
    String silence = silence(supervisor.reports().silentNs());
    return Optional.of(silence.isEmpty() ? now : new RingProcess(now.pid(), now.starts(), silence));
  }

  private String silence(long silentNs) {
    if (silentNs < SILENT_NS) {
      return "";
    }
    String pid = Long.toString(supervisor.state().pid().orElse(0));
    return "process "
        + pid
        + " does not answer for "
        + TimeUnit.NANOSECONDS.toSeconds(silentNs)
        + " s; continue it by kill -CONT "
        + pid
        + ", or end it by kill -KILL "
        + pid
        + ": then another one starts";
  }

  @Override
  public RingNodeInfo info() {
    Optional<Answer.Report> report = supervisor.reports().fresh();
    RingProcess process = process().orElseThrow();
    if (report.isEmpty()) {
      return without(process.reason());
    }
    RingNodeInfo node = report.get().node();
    if (!process.reason().isEmpty()) {
      return with(node, NodeState.FAILED, process.reason());
    }
    String problem = wanted.refusal().orElse(report.get().problem());
    return problem.isEmpty() ? node : with(node, NodeState.FAILED, problem);
  }

  private static RingNodeInfo with(RingNodeInfo node, NodeState state, String reason) {
    return new RingNodeInfo(
        node.name(),
        node.ring(),
        node.role(),
        state,
        reason,
        node.packetBytes(),
        node.layers(),
        node.range(),
        node.stage(),
        node.prev(),
        node.next(),
        node.position(),
        node.dropped(),
        node.resizes(),
        node.health());
  }

  /** While no process has reported. */
  private RingNodeInfo without(String reason) {
    NodeSettings now = settings();
    boolean works = now.role() != RingRole.RELAY;
    NodeState state = supervisor.isWaiting() ? NodeState.FAILED : NodeState.WAITING;
    return new RingNodeInfo(
        name,
        now.ring(),
        now.role(),
        closed ? NodeState.CLOSED : state,
        closed ? "" : reason,
        now.packetBytes(),
        now.layers(),
        works ? Optional.of(now.range()) : Optional.empty(),
        works ? Optional.of(now.stage()) : Optional.empty(),
        down(RingSide.PREV, now.prevDialect(), now.listen(), reason),
        down(RingSide.NEXT, now.nextDialect(), List.of(now.next()), reason),
        0,
        0,
        0);
  }

  private static LinkInfo down(
      RingSide side, Dialect dialect, List<PathAddress> addresses, String reason) {
    return new LinkInfo(
        side,
        dialect,
        addresses.stream().map(PathAddress::toString).toList(),
        PortState.CLOSED,
        reason,
        Optional.empty(),
        List.of(),
        NO_COUNTS);
  }

  @Override
  public void leave() {
    supervisor.leave();
  }

  @Override
  public void close() {
    supervisor.close();
    wanted.close();
    closed = true;
  }
}
