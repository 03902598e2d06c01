package io.isle.fabric.ring.isle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.api.fabric.RingSide;
import io.isle.fabric.ring.link.LinkMeter;
import io.isle.lib.leap.isle.Heartbeat;
import io.isle.lib.leap.isle.IsleFrame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Supplier;

/** An end of a link in virtual time, with packets that have numbers. */
final class End {
  static final int BYTES = 40;
  static final int WINDOW = 8;

  final LinkMeter meter = new LinkMeter();
  final IsleMachine machine;
  final Lane lane;
  final Signs signs = new Signs();
  private final MemorySegment packet;

  /** Packets that a sending call took. */
  long sent;

  /** Packets that a receiving call delivered. */
  long received;

  /** What the machine told of its neighbour. */
  static final class Signs implements LinkEvents {
    int lost;
    boolean silent;
    String reason = "";
    long frame;
    long age;
    int restarts;
    int refused;
    long work;
    long workNs;

    @Override
    public void greeted(io.isle.lib.leap.isle.Hello theirs, boolean restarted) {
      restarts += restarted ? 1 : 0;
    }

    @Override
    public void refused(io.isle.lib.leap.isle.Hello theirs, String why) {
      refused++;
    }

    @Override
    public void lost(boolean isSilent, String why, long last, long ageNs) {
      lost++;
      silent = isSilent;
      reason = why;
      frame = last;
      age = ageNs;
    }

    @Override
    public void state(MemorySegment heartbeat, long at, long nowNs) {
      Heartbeat.node(heartbeat, at, 1, work, workNs, 0, 0, false);
    }
  }

  End(RingSide side, long session, Arena arena) {
    this(spec(side, "n" + side.ordinal()), session, arena);
  }

  End(IsleSpec spec, long session, Arena arena) {
    this(spec, session, arena, () -> arena, true);
  }

  private End(IsleSpec spec, long session, Arena arena, Supplier<Arena> arenas, boolean hasLane) {
    machine = new IsleMachine(spec, session, arena, arenas, meter, signs);
    lane = hasLane ? machine.open() : null;
    packet = arena.allocate(BYTES, 8);
  }

  /** An end whose paths come from settings. */
  static End withoutLane(IsleSpec spec, long session, CountedMemory memory) {
    return new End(spec, session, memory.get(), memory, false);
  }

  static IsleSpec spec(RingSide side, String node) {
    return spec(side, node, 0);
  }

  /**
   * @param role as of {@link IsleSpec}
   */
  static IsleSpec spec(RingSide side, String node, int role) {
    return new IsleSpec(
        side, "ring", node, role, BYTES, WINDOW, 1 << 20, 250, 5_000_000_000L, "tcp://h:1");
  }

  /** Sends the next packet if there is room. */
  boolean send(long nowNs) {
    packet.fill((byte) sent);
    packet.set(ValueLayout.JAVA_LONG, 0, sent);
    long result = machine.send(IsleFrame.DATA, packet, 8, packet, 8, BYTES - 8, nowNs);
    sent += result == 0 ? 1 : 0;
    return result == 0;
  }

  /** Receives a packet if one is here, and checks that it is the next one. */
  boolean receive(long nowNs) {
    if (machine.receive(packet, 0, nowNs) != BYTES) {
      return false;
    }
    assertEquals(received, packet.get(ValueLayout.JAVA_LONG, 0));
    assertEquals((byte) received, packet.get(ValueLayout.JAVA_BYTE, BYTES - 1));
    received++;
    return true;
  }
}
