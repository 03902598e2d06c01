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
import io.isle.fabric.ring.link.FabricAgent;
import io.isle.fabric.ring.settings.NodeSettings;
import io.isle.lib.leap.Packets;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** A node with its links. Changes belong to the thread of the rings; other calls to any thread. */
public final class RingNode implements Node {
  private static final System.Logger LOG = System.getLogger(RingNode.class.getName());

  private final String name;
  private final NodeWork work = new NodeWork();
  private final NodeLinks links;
  private final Arena arena = Arena.ofShared();
  private final Optional<WorkerStage> stage;
  private final Optional<WorkerLoop> worker;
  private final Optional<MasterEnd> master;
  private final AtomicBoolean resizing = new AtomicBoolean();
  private final AtomicLong resizes = new AtomicLong();
  private final List<RingListener> listeners = new CopyOnWriteArrayList<>();
  private volatile NodeSettings settings;
  private volatile Endpoint endpoint;
  private volatile boolean closed;

  /** A node without transports and stages. */
  public RingNode(String name, NodeSettings settings, FabricAgent agent) {
    this.name = name;
    this.settings = settings;
    links = new NodeLinks(name, settings, work, agent);
    boolean isMaster = settings.role() == RingRole.MASTER;
    boolean isWorker = settings.role() == RingRole.WORKER || settings.role() == RingRole.TAIL;
    master =
        isMaster
            ? Optional.of(new MasterEnd(links, settings.packetBytes(), arena))
            : Optional.empty();
    stage =
        isWorker
            ? Optional.of(
                new WorkerStage(
                    name,
                    settings.stage(),
                    Math.max(0, settings.packetBytes() - Packets.HEADER_BYTES),
                    settings.range()))
            : Optional.empty();
    worker =
        isMaster
            ? Optional.empty()
            : Optional.of(new WorkerLoop(name, links, settings, stage.orElse(null), work));
    worker.ifPresent(WorkerLoop::start);
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
  }

  @Override
  public void change(NodeSettings to, Function<String, RingTransport> transports) {
    settings = to;
    links.change(to, transports);
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
    links.wake();
  }

  void listen(RingListener listener) {
    listeners.add(listener);
  }

  @Override
  public void notifyListeners() {
    if (!listeners.isEmpty()) {
      RingNodeInfo now = info();
      listeners.forEach(listener -> guarded(listener, now));
    }
  }

  private void guarded(RingListener listener, RingNodeInfo now) {
    try {
      listener.changed(now);
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "ring node " + name + ": a listener failed", e);
    }
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
        resizes.get() + worker.map(WorkerLoop::resizes).orElse(0L));
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
    stage.ifPresent(WorkerStage::close);
    links.close();
    arena.close();
  }
}
