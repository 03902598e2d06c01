package io.isle.fabric.ring.isle;

import io.isle.api.fabric.NodeFailure;
import io.isle.api.fabric.RingPort;
import io.isle.api.fabric.RingRole;
import io.isle.lib.leap.ResizePlan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** A ring of nodes in virtual time; node 0 is the master. Line i leads from node i to the next. */
final class VirtualRing implements AutoCloseable {
  static final long MS = 1_000_000;
  private static final int MOST_STEPS = 30_000;

  /** What a test does to a line of any kind. */
  interface Line {
    RingPort connector();

    RingPort listener();

    /** Nothing arrives any more; nobody is told. */
    void silence(boolean now);

    /** Both ends lose the path, and no other one comes up. */
    void cut(boolean now);

    void clock(long nowNs);
  }

  private final Arena arena = Arena.ofConfined();
  private final List<Line> lines = new ArrayList<>();
  final List<VirtualNode> nodes = new ArrayList<>();
  private long sessions = 1;
  long now = 1;

  /** A ring by streams. */
  static VirtualRing streams(int count) {
    return new VirtualRing(count, false);
  }

  /** A ring by datagrams, of which some get lost. */
  static VirtualRing datagrams(int count) {
    return new VirtualRing(count, true);
  }

  private VirtualRing(int count, boolean datagrams) {
    for (int i = 0; i < count; i++) {
      lines.add(datagrams ? new Datagrams(i) : new Stream(i));
    }
    for (int i = 0; i < count; i++) {
      nodes.add(node(i));
    }
  }

  private VirtualNode node(int i) {
    int count = lines.size();
    RingRole role = i == 0 ? RingRole.MASTER : i == count - 1 ? RingRole.TAIL : RingRole.WORKER;
    RingPort listens = lines.get((i + count - 1) % count).listener();
    return new VirtualNode(
        "n" + i, role, listens, lines.get(i).connector(), ++sessions, arena, () -> now);
  }

  VirtualNode master() {
    return nodes.getFirst();
  }

  /** The line from a node to the next one. */
  Line line(int i) {
    return lines.get(i);
  }

  private Line before(int i) {
    return lines.get((i + lines.size() - 1) % lines.size());
  }

  void step() {
    now += MS;
    lines.forEach(line -> line.clock(now));
    for (VirtualNode node : nodes) {
      if (node != null) {
        node.step(now);
      }
    }
  }

  void steps(int count) {
    for (int i = 0; i < count; i++) {
      step();
    }
  }

  /** Steps until something holds; returns the milliseconds. */
  int until(BooleanSupplier holds) {
    int steps = 0;
    while (!holds.getAsBoolean()) {
      step();
      if (++steps == MOST_STEPS) {
        throw new AssertionError("not within " + MOST_STEPS + " ms: " + master().health());
      }
    }
    return steps;
  }

  /** Steps until all links are up and the master has called the roll. */
  VirtualRing up() {
    int ignored = until(() -> master().health().members().size() == nodes.size());
    return this;
  }

  /** A program ends: its neighbours see the ends of their paths, or nothing by datagrams. */
  void kill(int i) {
    nodes.set(i, null);
    before(i).cut(true);
    line(i).cut(true);
  }

  /** The program starts again, with the layers of its settings. */
  VirtualNode restart(int i) {
    before(i).cut(false);
    line(i).cut(false);
    VirtualNode made = node(i);
    made.closePorts();
    nodes.set(i, made);
    return made;
  }

  /** The master divides layers; steps until the acknowledgement is here. */
  void resize(int layers, int... boundaries) {
    MemorySegment packet = arena.allocate(VirtualNode.BYTES, 8);
    int ignored = ResizePlan.of(layers, boundaries).write(packet, 0, VirtualNode.BYTES);
    long before = master().arrived;
    ignored = until(() -> master().send(packet, true, now));
    ignored = until(() -> master().arrived > before);
  }

  /** A failure that lasts, as a node knows it. */
  Optional<NodeFailure> failure(VirtualNode of, String node) {
    return of.health().lasting().stream().filter(one -> one.node().equals(node)).findFirst();
  }

  @Override
  public void close() {
    arena.close();
  }

  private static final class Stream implements Line {
    private final FakeLine line;

    Stream(int seed) {
      line = new FakeLine(seed);
    }

    @Override
    public RingPort connector() {
      return line.connector;
    }

    @Override
    public RingPort listener() {
      return line.listener;
    }

    @Override
    public void silence(boolean silent) {
      line.stalled = silent;
    }

    @Override
    public void cut(boolean isCut) {
      line.down = isCut;
      if (isCut) {
        line.cut();
      }
    }

    @Override
    public void clock(long nowNs) {}
  }

  private static final class Datagrams implements Line {
    private final FakeDatagramLine line;

    Datagrams(int seed) {
      line = new FakeDatagramLine(seed);
      line.lossPercent = 5;
    }

    @Override
    public RingPort connector() {
      return line.connector;
    }

    @Override
    public RingPort listener() {
      return line.listener;
    }

    @Override
    public void silence(boolean silent) {
      line.down = silent;
    }

    @Override
    public void cut(boolean isCut) {
      line.down = isCut;
    }

    @Override
    public void clock(long nowNs) {
      line.now = nowNs;
    }
  }
}
