package io.isle.fabric.ring.isle;

import io.isle.api.fabric.LayerRange;
import io.isle.api.fabric.RingHealth;
import io.isle.api.fabric.RingPort;
import io.isle.api.fabric.RingRole;
import io.isle.api.fabric.RingSide;
import io.isle.fabric.ring.health.FailureChange;
import io.isle.fabric.ring.health.NewsPath;
import io.isle.fabric.ring.health.NodeHealth;
import io.isle.fabric.ring.health.OwnState;
import io.isle.fabric.ring.link.LinkMeter;
import io.isle.lib.leap.Control;
import io.isle.lib.leap.ControlReader;
import io.isle.lib.leap.WorkerAction;
import io.isle.lib.leap.isle.Heartbeat;
import io.isle.lib.leap.isle.IsleFrame;
import io.isle.lib.leap.isle.RollCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** A node in virtual time: both links, the health, and a worker that only notes its layers. */
final class VirtualNode implements OwnState {
  static final int BYTES = 200;
  static final long STALL_NS = 5_000_000_000L;

  final String name;
  final RingRole role;
  final IsleMachine prev;
  final IsleMachine next;
  final NodeHealth health;
  final LinkMeter meter = new LinkMeter();
  private final RingPort listens;
  private final RingPort connects;
  private final LongSupplier clock;
  private final long session;
  private final MemorySegment packet;
  private final ControlReader control = new ControlReader();
  private boolean pending;
  private boolean pendingControl;

  /** Neither reads nor writes, as a stopped program. */
  boolean frozen;

  /** The frame in work, and since when. */
  long work;

  long workSinceNs;
  boolean stageFails;
  LayerRange range = new LayerRange(0, 0, false);
  boolean resized;

  /** Packets that arrived; of a worker, those that it has processed. */
  long arrived;

  /** Layers that each processed packet met. */
  final List<LayerRange> met = new ArrayList<>();

  VirtualNode(
      String name,
      RingRole role,
      RingPort listens,
      RingPort connects,
      long session,
      Arena arena,
      LongSupplier clock) {
    this.name = name;
    this.role = role;
    this.listens = listens;
    this.connects = connects;
    this.session = session;
    this.clock = clock;
    packet = arena.allocate(BYTES, 8);
    health = new NodeHealth(name, role, this, STALL_NS, session * 1_000_000, () -> {});
    prev = machine(RingSide.PREV, listens, arena);
    next = machine(RingSide.NEXT, connects, arena);
    health.paths(path(prev), path(next));
  }

  private IsleMachine machine(RingSide side, RingPort port, Arena arena) {
    IsleSpec spec =
        new IsleSpec(
            side,
            "ring",
            name,
            role.ordinal(),
            BYTES,
            8,
            1 << 20,
            250,
            STALL_NS,
            "tcp://" + name + ":1");
    IsleMachine made = new IsleMachine(spec, session, arena, meter, health.events(side));
    made.open().port(port, false, clock.getAsLong());
    return made;
  }

  private NewsPath path(IsleMachine machine) {
    return new NewsPath() {
      @Override
      public boolean isUp() {
        return machine.isUp();
      }

      @Override
      public void post(int kind, byte[] payload) {
        machine.post(kind, payload, clock.getAsLong());
      }
    };
  }

  /** The ports were closed with the program. */
  void closePorts() {
    listens.disconnect("");
    connects.disconnect("");
  }

  void step(long nowNs) {
    if (frozen) {
      return;
    }
    long ignored = prev.poll(nowNs);
    ignored = next.poll(nowNs);
    for (int i = 0; i < 8 && work == 0; i++) {
      pass(nowNs);
    }
    ignored = health.tend(nowNs);
  }

  private void pass(long nowNs) {
    if (pending) {
      send(nowNs);
    } else if (prev.receive(packet, 0, nowNs) == BYTES) {
      arrived++;
      pendingControl = prev.isControl();
      pending = role != RingRole.MASTER;
      if (pending && pendingControl) {
        apply();
      } else if (pending) {
        met.add(range);
      }
    }
  }

  private void apply() {
    boolean ignored = control.packet(packet, 0, BYTES);
    WorkerAction action = WorkerAction.of(control, 0);
    if (action.applies()) {
      range = new LayerRange(action.start(), action.end(), action.tail());
      resized = true;
    }
    pending = action.write(packet, 0, BYTES) > 0;
  }

  private void send(long nowNs) {
    pending = !send(packet, pendingControl, nowNs);
  }

  /** Sends a packet to the next node if there is room. */
  boolean send(MemorySegment from, boolean isControl, long nowNs) {
    return isControl
        ? next.send(
                IsleFrame.CONTROL,
                from,
                0,
                from,
                Control.MARKER_BYTES,
                Control.MESSAGE_BYTES,
                nowNs)
            == 0
        : next.send(IsleFrame.DATA, from, 0, from, 0, BYTES, nowNs) == 0;
  }

  /** Sends an activation if there is room. */
  boolean sendData(int position, long nowNs) {
    packet.fill((byte) 0);
    packet.set(ValueLayout.JAVA_INT, 0, position);
    return send(packet, false, nowNs);
  }

  RingHealth health() {
    return health.health();
  }

  List<FailureChange> changes() {
    return health.changes();
  }

  @Override
  public void write(MemorySegment heartbeat, long at, long nowNs) {
    long ageNs = work == 0 ? 0 : nowNs - workSinceNs;
    int state = stageFails ? 2 : 1;
    Heartbeat.node(heartbeat, at, state, work, ageNs, range.start(), range.end(), range.tail());
  }

  @Override
  public RollCall.Entry entry() {
    return new RollCall.Entry(
        name,
        "tcp://" + name + ":1",
        session,
        role.ordinal(),
        1,
        range.start(),
        range.end(),
        range.tail(),
        resized,
        next.hop().percentile(50));
  }
}
