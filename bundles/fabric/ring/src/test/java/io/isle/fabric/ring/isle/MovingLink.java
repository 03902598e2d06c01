package io.isle.fabric.ring.isle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.PortSpec;
import io.isle.api.fabric.RingSide;
import io.isle.api.fabric.RingTransport;
import io.isle.fabric.ring.link.LinkMeter;
import io.isle.fabric.ring.link.PathSpec;
import java.util.List;
import java.util.Map;

/**
 * Both ends of a link in virtual time. The listening end has two streams, datagrams and shared
 * memory; the connecting end moves between them.
 */
final class MovingLink implements AutoCloseable {
  static final List<String> ADDRESSES = List.of("tcp://a", "tcp://b", "udp://c", "shm://d");
  private static final long MS = 1_000_000;

  /** Steps of a millisecond in which every packet arrives once nothing harms the link. */
  private static final int PATIENCE = 30_000;

  /** Bytes of both ends: four paths of an end at most, and one of each that is left. */
  private static final long MOST_MEMORY = 8L * (4 << 16) + 2 * (2 << 10) * 2 * End.WINDOW;

  private static final long MOST_UNDER_WAY = 2L * 4096 + 2 * 4 * 2048 + 2 * 4096;

  private final Map<String, FakePath> paths;
  private final CountedMemory memory = new CountedMemory();
  final End next = End.withoutLane(End.spec(RingSide.NEXT, "a"), 11, memory);
  final End prev = End.withoutLane(End.spec(RingSide.PREV, "b"), 22, memory);
  private final LanePorts nextPorts = new LanePorts(next.machine, next.meter, true);
  private final LanePorts prevPorts = new LanePorts(prev.machine, prev.meter, false);
  long now = 1;

  MovingLink(long seed) {
    paths =
        Map.of(
            "a", new FakeLine(seed),
            "b", new FakeLine(seed + 1),
            "c", new FakeDatagramLine(seed + 2),
            "d", new FakeBanks(seed + 3));
    nextPorts.add(spec(RingSide.NEXT, ADDRESSES.getFirst()));
    ADDRESSES.forEach(address -> prevPorts.add(spec(RingSide.PREV, address)));
    for (String transport : List.of("tcp", "udp", "shm")) {
      nextPorts.attach(transport, transport(true), now);
      prevPorts.attach(transport, transport(true), now);
    }
  }

  private static PathSpec spec(RingSide side, String address) {
    int end = address.indexOf("://");
    PortSpec port =
        new PortSpec(
            "n",
            side,
            address.substring(end + 3),
            "",
            Dialect.ISLE,
            End.BYTES,
            "",
            List.of(),
            false,
            1 << 16,
            Map.of());
    return new PathSpec(address, address.substring(0, end), port);
  }

  private RingTransport transport(boolean adopts) {
    return new FakeTransport(paths, adopts);
  }

  /** Moves to another path. */
  void move(String address) {
    nextPorts.change(List.of(spec(RingSide.NEXT, address)), any -> transport(true), now);
  }

  /**
   * A transport of an end goes, and another version comes.
   *
   * @param adopts whether the new version knows what the old one has parked
   */
  void restart(RingSide side, String transport, boolean adopts, int pauseMs) {
    LanePorts ports = side == RingSide.NEXT ? nextPorts : prevPorts;
    ports.detach(transport, now);
    steps(pauseMs);
    ports.attach(transport, transport(adopts), now);
  }

  /** A transport of an end goes; what it has parked is closed before another one comes. */
  void replace(RingSide side, String transport, int pauseMs) {
    LanePorts ports = side == RingSide.NEXT ? nextPorts : prevPorts;
    ports.detach(transport, now);
    ports.dropParked(transport, now);
    for (String address : ADDRESSES) {
      if (address.startsWith(transport)) {
        paths.get(address.substring(address.length() - 1)).port(side).close();
      }
    }
    steps(pauseMs);
    ports.attach(transport, transport(true), now);
  }

  void cut() {
    paths.values().forEach(FakePath::cut);
  }

  void down(boolean down) {
    paths.values().forEach(path -> path.down(down));
  }

  void harm(int loss, int twice, int corrupt) {
    paths.values().forEach(path -> path.harm(loss, twice, corrupt));
  }

  void steps(int count) {
    for (int i = 0; i < count; i++) {
      now += MS;
      paths.values().forEach(path -> path.now(now));
      long ignored = next.machine.poll(now);
      ignored = nextPorts.settle(now);
      ignored = prev.machine.poll(now);
      ignored = prevPorts.settle(now);
    }
  }

  /** What holds at all times. */
  void check() {
    for (End end : List.of(next, prev)) {
      SendWindow window = end.machine.window();
      assertTrue(window.next() - window.first() <= End.WINDOW, "the window");
    }
    assertTrue(next.sent - prev.received <= 2L * End.WINDOW, "window and queue");
    assertTrue(prev.sent - next.received <= 2L * End.WINDOW, "window and queue");
    assertTrue(memory.bytes() <= MOST_MEMORY, () -> memory.bytes() + " bytes");
    long underWay = paths.values().stream().mapToLong(FakePath::underWay).sum();
    assertTrue(underWay <= MOST_UNDER_WAY, () -> underWay + " bytes and datagrams under way");
  }

  /** Without harm, all packets arrive. */
  void settle() {
    harm(0, 0, 0);
    down(false);
    for (int i = 0; i < PATIENCE && !isDone(); i++) {
      steps(1);
      boolean ignored = prev.receive(now);
      ignored = next.receive(now);
    }
    assertEquals(next.sent, prev.received);
    assertEquals(prev.sent, next.received);
    assertEquals(0, next.meter.get(LinkMeter.LOST) + prev.meter.get(LinkMeter.LOST));
    check();
  }

  private boolean isDone() {
    return next.sent == prev.received && prev.sent == next.received;
  }

  /** Whether packets go by this path. */
  boolean isOn(String address) {
    return nextPorts.views().stream()
        .anyMatch(entry -> entry.spec.address().equals(address) && entry.lane.isCurrent());
  }

  long memoryBytes() {
    return memory.bytes();
  }

  @Override
  public void close() {
    memory.close();
  }
}
