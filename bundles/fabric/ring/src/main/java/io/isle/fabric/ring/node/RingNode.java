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
import io.isle.api.fabric.RingRole;
import io.isle.api.fabric.RingSide;
import io.isle.api.fabric.RingStage;
import io.isle.api.fabric.RingTransport;
import io.isle.api.tenancy.Capability;
import io.isle.fabric.ring.health.FailureLog;
import io.isle.fabric.ring.health.FailureSink;
import io.isle.fabric.ring.health.NodeHealth;
import io.isle.fabric.ring.link.FabricAgent;
import io.isle.fabric.ring.link.Tended;
import io.isle.fabric.ring.settings.NodeSettings;
import io.isle.lib.leap.Packets;
import java.lang.foreign.Arena;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** A node with its links. Changes belong to the thread of the rings; other calls to any thread. */
public final class RingNode implements AutoCloseable {
  /** More than a node sends, so that another node of its name goes on with larger numbers. */
  private static final long IDS_PER_MS = 1000;

  private final String name;
  private final FabricAgent agent;
  private final NodeWork work = new NodeWork();
  private final NodeHealth health;
  private final FailureLog failureLog;
  private final Tended tended;
  private final NodeLinks links;
  private final Arena arena = Arena.ofShared();
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

  /** The name. */
  public String name() {
    return name;
  }

  NodeLinks links() {
    return links;
  }

  /** The settings. */
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

  /** Whether other settings are possible without a new node. */
  public boolean canChangeTo(NodeSettings other) {
    return settings.withLinksOf(other).equals(other);
  }

  /** Other settings of links. */
  public void change(NodeSettings to, Function<String, RingTransport> transports) {
    settings = to;
    links.change(to, transports);
  }

  /** A transport has come. */
  public void attach(String transport, RingTransport service) {
    links.attach(transport, service);
  }

  /** A transport goes; whether the node has ports of it, which are parked. */
  public boolean detach(String transport) {
    return links.detach(transport);
  }

  /** No later version of a transport has come in time. */
  public void dropParked(String transport) {
    links.dropParked(transport);
  }

  /** A stage has come, or goes: null. */
  public void use(String stageName, RingStage service) {
    if (settings.stage().equals(stageName)) {
      stage.ifPresent(one -> one.use(service));
    }
  }

  /**
   * Opens the endpoint.
   *
   * @throws RingException EPERM for another role; EBUSY; ECLOSED
   */
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

  /** Capabilities were revoked. */
  public void revoked() {
    links.wake();
  }

  void listen(RingListener listener) {
    listeners.add(listener);
  }

  /** States of links or of the node may have changed. */
  public void notifyListeners() {
    long now = System.nanoTime();
    health.changes().forEach(change -> failureLog.tell(change, now));
    listeners.changed(this::info);
  }

  /** Times of packets to the next node, if they are known. */
  public Optional<HopTimes> hop() {
    return links.next.hop();
  }

  /** The error number of the kernel for the last failure of a link; 0 if not known. */
  public int failure(RingSide side) {
    return (side == RingSide.PREV ? links.prev : links.next).failure();
  }

  /** The node as it is now. */
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

  /** The state of the node. */
  NodeState state() {
    String failure = stage.map(WorkerStage::failure).orElse("");
    return state(links.prev.info(), links.next.info(), failure);
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
