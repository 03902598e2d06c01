package io.isle.fabric.ring.node;

import static io.isle.api.base.Errno.ECLOSED;
import static io.isle.api.base.Errno.ETIME;

import io.isle.api.fabric.LayerRange;
import io.isle.api.fabric.RingRole;
import io.isle.fabric.ring.link.Caller;
import io.isle.fabric.ring.settings.NodeSettings;
import io.isle.lib.leap.ControlReader;
import io.isle.lib.leap.Packets;
import io.isle.lib.leap.WorkerAction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The thread of a worker or relay: receives a packet, processes it in place, sends it on. A relay
 * passes every packet on unchanged.
 */
final class WorkerLoop implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(WorkerLoop.class.getName());
  private static final long WAIT_NS = 60_000_000_000L;

  private final String node;
  private final NodeLinks links;
  private final NodeSettings settings;
  private final WorkerStage stage;
  private final Caller caller = this::refusal;
  private final ControlReader control = new ControlReader();
  private final NodeWork work;
  private final int bytes;
  private volatile LayerRange range;
  private final AtomicLong dropped = new AtomicLong();
  private final AtomicLong resizes = new AtomicLong();
  private volatile boolean closed;

  /** Of the packet in work. */
  private boolean isControl;

  private Thread thread;

  WorkerLoop(
      String node, NodeLinks links, NodeSettings settings, WorkerStage stage, NodeWork work) {
    this.node = node;
    this.links = links;
    this.settings = settings;
    this.stage = stage;
    this.work = work;
    bytes = settings.packetBytes();
    range = settings.range();
    work.range(range, false);
  }

  void start() {
    thread = Thread.ofPlatform().daemon().name("isle-ring-" + node).start(this::run);
  }

  LayerRange range() {
    return range;
  }

  long dropped() {
    return dropped.get();
  }

  long resizes() {
    return resizes.get();
  }

  private int refusal() {
    return closed ? -ECLOSED : 0;
  }

  private void run() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment packet = arena.allocate(bytes, 64);
      MemorySegment payload = packet.asSlice(Math.min(bytes, Packets.HEADER_BYTES));
      while (!closed) {
        if (links.prev.receive(packet, 0, WAIT_NS, caller) > 0 && isSentOn(packet, payload)) {
          send(packet);
        }
      }
    }
  }

  private boolean isSentOn(MemorySegment packet, MemorySegment payload) {
    isControl = links.prev.mayBeControl() && control.packet(packet, 0, bytes);
    if (settings.role() == RingRole.RELAY) {
      return true;
    }
    if (isControl) {
      return apply(packet);
    }
    boolean whole = bytes >= Packets.HEADER_BYTES;
    int position = whole ? Packets.pos(packet, 0) : 0;
    if (whole && position == 0) {
      stage.reset();
    }
    boolean ends =
        !processed(position, payload)
            || whole && range.tail() && Packets.flags(packet, 0) == Packets.NO_REPLY;
    if (ends) {
      dropped.getAndIncrement();
    }
    return !ends;
  }

  private boolean processed(int position, MemorySegment payload) {
    work.begin(Math.max(1, links.prev.number()), System.nanoTime());
    try {
      return stage.process(position, payload);
    } finally {
      work.end();
    }
  }

  private boolean apply(MemorySegment packet) {
    WorkerAction action = WorkerAction.of(control, settings.layers());
    if (action.applies()) {
      range = new LayerRange(action.start(), action.end(), action.tail());
      work.range(range, true);
      stage.resize(range);
      stage.reset();
      resizes.getAndIncrement();
    } else if (action.kind() == WorkerAction.Kind.REFUSE) {
      LOG.log(
          System.Logger.Level.WARNING,
          "ring node {0}: a resize up to layer {1} is not applied, because layers is {2}",
          node,
          action.end(),
          settings.layers());
    }
    return action.write(packet, 0, bytes) > 0;
  }

  private void send(MemorySegment packet) {
    long sent;
    do {
      sent =
          isControl
              ? links.next.sendControl(packet, WAIT_NS, caller)
              : links.next.send(packet, 0, packet, 0, bytes, WAIT_NS, caller);
    } while (sent == -ETIME && !closed);
  }

  /** Ends the thread. */
  @Override
  public void close() {
    closed = true;
    boolean interrupted = false;
    while (thread.isAlive()) {
      links.wake();
      try {
        thread.join(100);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
