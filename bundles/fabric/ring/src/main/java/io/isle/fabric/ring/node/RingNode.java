package io.isle.fabric.ring.node;

import io.isle.api.base.Errno;
import io.isle.api.fabric.HopTimes;
import io.isle.api.fabric.LayerRange;
import io.isle.api.fabric.LinkInfo;
import io.isle.api.fabric.NodeState;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingEndpoint;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingListener;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.api.fabric.RingProcess;
import io.isle.api.fabric.RingRole;
import io.isle.api.fabric.RingSide;
import io.isle.api.fabric.RingStage;
import io.isle.api.fabric.RingTransport;
import io.isle.api.tenancy.Capability;
import io.isle.fabric.ring.health.FailureLog;
import io.isle.fabric.ring.health.FailureSink;
import io.isle.fabric.ring.health.NodeHealth;
import io.isle.fabric.ring.link.FabricAgent;
import io.isle.fabric.ring.link.LinkSpec;
import io.isle.fabric.ring.link.PathSpec;
import io.isle.fabric.ring.link.Tended;
import io.isle.fabric.ring.settings.NodeSettings;
import io.isle.lib.ffi.MappedArena;
import io.isle.lib.leap.Packets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** A node with its links. Changes belong to the thread of the rings; other calls to any thread. */
public final class RingNode implements Node {
  /** More than a node sends, so that another node of its name goes on with larger numbers. */
  private static final long IDS_PER_MS = 1000;

  private final String name;
  private final FabricAgent agent;
  private final NodeWork work = new NodeWork();
  private final NodeHealth health;
  private final FailureLog failureLog;
  private final Tended tended;
  private final NodeLinks links;
  private final MappedArena arena = new MappedArena();
  private final Optional<WorkerStage> stage;
  private final Optional<WorkerLoop> worker;
  private final Optional<MasterEnd> master;
  private final AtomicBoolean resizing = new AtomicBoolean();
  private final AtomicLong resizes = new AtomicLong();
  private final NodeListeners listeners;
  private volatile NodeSettings settings;
  private volatile Endpoint endpoint;
  private volatile boolean closed;

  /** A node without transports and stages, whose news go to the log alone. */
  public RingNode(String name, NodeSettings settings, FabricAgent agent) {
    this(name, settings, agent, (ring, teller, change) -> {});
  }

  /**
   * A node without transports and stages.
   *
   * @param sink receives news of failed nodes, by {@link #notifyListeners}
   */
  public RingNode(String name, NodeSettings settings, FabricAgent agent, FailureSink sink) {
    this.name = name;
    this.settings = settings;
    this.agent = agent;
    listeners = new NodeListeners(name);
    failureLog = new FailureLog(settings.ring(), name, settings.role(), sink);
    health =
        new NodeHealth(
            name,
            settings.role(),
            new NodeSelf(this, work),
            settings.isle().stallNs(),
            System.currentTimeMillis() * IDS_PER_MS,
            agent::wake);
    links = new NodeLinks(name, settings, health, agent);
    boolean isMaster = settings.role() == RingRole.MASTER;
    boolean isWorker = settings.role() == RingRole.WORKER || settings.role() == RingRole.TAIL;
    master =
        isMaster
            ? Optional.of(new MasterEnd(name, links, settings, health::callRoll, arena))
            : Optional.empty();
    stage =
        isWorker
            ? Optional.of(
                new WorkerStage(
                    name,
                    settings.stage(),
                    Math.max(0, settings.packetBytes() - Packets.HEADER_BYTES),
                    settings.range(),
                    health::stir))
            : Optional.empty();
    worker =
        isMaster
            ? Optional.empty()
            : Optional.of(new WorkerLoop(name, links, settings, stage.orElse(null), work));
    master.ifPresent(end -> health.onRoll(end.division()));
    worker.ifPresent(WorkerLoop::start);
    tended = new HealthWork(health, work, this::state);
    agent.tend(tended);
  }

  /**
   * Checks the settings of both links by the transports, as far as they are installed. Opens
   * nothing.
   *
   * @param transports gives a transport by its name, or null
   * @throws RingException as {@link RingTransport#open}
   */
  public static void check(
      String name, NodeSettings settings, Function<String, RingTransport> transports) {
    LinkSpecs specs = new LinkSpecs(name, settings);
    for (LinkSpec link : List.of(specs.prev(), specs.next())) {
      for (PathSpec path : link.paths()) {
        RingTransport transport = transports.apply(path.transport());
        if (transport != null) {
          // a port takes its address by its first poll only
          transport.open(path.port()).close();
        }
      }
    }
  }

  /** The name. */
  public String name() {
    return name;
  }

  NodeLinks links() {
    return links;
  }

  @Override
  public NodeSettings settings() {
    return settings;
  }

  AtomicBoolean resizing() {
    return resizing;
  }

  void resized() {
    resizes.getAndIncrement();
    health.callRoll(System.nanoTime());
  }

  @Override
  public void change(NodeSettings to, Function<String, RingTransport> transports) {
    settings = to;
    links.change(to, transports);
  }

  @Override
  public void retry(Function<String, RingTransport> transports) {
    links.retry(transports);
  }

  @Override
  public void attach(String transport, RingTransport service) {
    links.attach(transport, service);
  }

  @Override
  public boolean detach(String transport) {
    return links.detach(transport);
  }

  @Override
  public void dropParked(String transport) {
    links.dropParked(transport);
  }

  @Override
  public void use(String stageName, RingStage service) {
    if (settings.stage().equals(stageName)) {
      stage.ifPresent(one -> one.use(service));
    }
  }

  @Override
  public synchronized RingEndpoint open(
      Capability capability, ControlRecord record, Runnable onClose) {
    MasterEnd end =
        master.orElseThrow(
            () ->
                new RingException(
                    Errno.EPERM,
                    name
                        + ": role is "
                        + settings.role().text()
                        + "; only masters have endpoints"));
    if (closed) {
      throw new RingException(Errno.ECLOSED, name + ": the node is closed");
    }
    if (endpoint != null) {
      throw new RingException(
          Errno.EBUSY, name + ": its endpoint is open already; close it, or wait for its tenant");
    }
    Endpoint made =
        new Endpoint(
            this,
            end,
            capability,
            record,
            () -> {
              endpoint = null;
              listeners.clear();
              onClose.run();
            });
    endpoint = made;
    return made;
  }

  @Override
  public void revoked() {
    Endpoint open = endpoint;
    if (open != null && open.isRevoked()) {
      open.close();
    }
  }

  void listen(RingListener listener) {
    listeners.add(listener);
  }

  @Override
  public void notifyListeners() {
    long now = System.nanoTime();
    health.changes().forEach(change -> failureLog.tell(change, now));
    listeners.changed(this::info);
  }

  @Override
  public Optional<HopTimes> hop() {
    return links.next.hop();
  }

  @Override
  public int failure(RingSide side) {
    return (side == RingSide.PREV ? links.prev : links.next).failure();
  }

  @Override
  public RingNodeInfo info() {
    LinkInfo prev = links.prev.info();
    LinkInfo next = links.next.info();
    NodeSettings now = settings;
    Optional<LayerRange> range = stage.flatMap(any -> worker.map(WorkerLoop::range));
    String failure = stage.map(WorkerStage::failure).orElse("");
    return new RingNodeInfo(
        name,
        now.ring(),
        now.role(),
        state(prev, next, failure),
        failure,
        now.packetBytes(),
        now.layers(),
        range,
        stage.map(any -> now.stage()),
        prev,
        next,
        master.map(MasterEnd::position).orElse(0),
        master.map(MasterEnd::dropped).or(() -> worker.map(WorkerLoop::dropped)).orElse(0L),
        resizes.get() + worker.map(WorkerLoop::resizes).orElse(0L),
        health.health());
  }

  /** A number that changes with each counter of {@link #info}. */
  public long counted() {
    return links.prev.counted()
        + links.next.counted()
        + resizes.get()
        + worker.map(loop -> loop.resizes() + loop.dropped()).orElse(0L)
        + master.map(MasterEnd::dropped).orElse(0L)
        + health.looks();
  }

  /** The state of the node. */
  NodeState state() {
    String failure = stage.map(WorkerStage::failure).orElse("");
    return state(links.prev.info(), links.next.info(), failure);
  }

  @Override
  public Optional<RingProcess> process() {
    return Optional.empty();
  }

  private NodeState state(LinkInfo prev, LinkInfo next, String failure) {
    if (closed) {
      return NodeState.CLOSED;
    }
    if (!failure.isEmpty()) {
      return NodeState.FAILED;
    }
    return prev.state() == PortState.UP && next.state() == PortState.UP
        ? NodeState.RUNNING
        : NodeState.WAITING;
  }

  @Override
  public void close() {
    Endpoint open;
    synchronized (this) {
      closed = true;
      open = endpoint;
    }
    if (open != null) {
      open.close();
    }
    worker.ifPresent(WorkerLoop::close);
    agent.forget(tended);
    health.close();
    stage.ifPresent(WorkerStage::close);
    links.close();
    arena.close();
  }
}
