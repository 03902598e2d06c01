package io.isle.fabric.ring.isle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.fabric.RingSide;
import io.isle.lib.leap.isle.FrameCrc;
import io.isle.lib.leap.isle.Hello;
import io.isle.lib.leap.isle.IsleFrame;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * A listening end whose neighbour follows a script, in virtual time. Each step of a script has a
 * head of five bytes, then the bytes that its length says.
 */
final class HostileNeighbour implements AutoCloseable {
  private static final long MS = 1_000_000;
  private static final int HEAD_BYTES = 5;
  private static final int RAW = 16;
  private static final int WRONG_CRC = 32;
  private static final int WAIT = 64;
  private static final int PATIENCE = 3_000;

  /** Buffers of a path, and all packets of both directions, of both ends. */
  private static final long MOST_MEMORY = 10L << 16;

  private final CountedMemory memory = new CountedMemory();
  private final End end = End.withoutLane(End.spec(RingSide.PREV, "b"), 22, memory);
  private final End real = End.withoutLane(End.spec(RingSide.NEXT, "a"), 11, memory);
  private final Lane lane = end.machine.open();
  private final Lane realLane = real.machine.open();
  private final FakePath path;
  private final Consumer<byte[]> wire;
  private final MemorySegment into = memory.get().allocate(End.BYTES, 8);
  private long now = 1;

  /**
   * An end whose real neighbour has been there, and is away.
   *
   * @param wire takes the bytes of a frame of the hostile one
   */
  HostileNeighbour(FakePath path, Consumer<byte[]> wire) {
    this.path = path;
    this.wire = wire;
    lane.port(path.port(RingSide.PREV).kind(), false, now);
    exchange();
    realLane.port(null, false, now);
    FakePort connector = path.port(RingSide.NEXT);
    connector.reopen();
    for (int i = 0; i < 20; i++) {
      step(10);
    }
  }

  /** A step of a script. */
  static byte[] step(int what, int number, byte[] payload) {
    return ByteBuffer.allocate(HEAD_BYTES + payload.length)
        .put((byte) what)
        .put((byte) number)
        .putShort((short) payload.length)
        .put((byte) 0)
        .put(payload)
        .array();
  }

  /** The greeting of a node that the end would take. */
  static byte[] hello(long session) {
    byte[] payload = new byte[Hello.BYTES];
    new Hello(false, "ring", "x", 0, session, 0, 0, End.BYTES, End.WINDOW, 250, "")
        .write(MemorySegment.ofArray(payload), 0);
    return payload;
  }

  /** Does what a script says; its first bytes are a greeting. */
  void follow(byte[] script) {
    frame(IsleFrame.HELLO, 0, hello(77), true);
    ByteBuffer steps = ByteBuffer.wrap(script);
    while (steps.remaining() >= HEAD_BYTES) {
      int what = steps.get();
      int number = steps.get();
      byte[] payload = new byte[Math.min(steps.getShort() & 0x7FF, steps.remaining() - 1)];
      steps.get();
      steps.get(payload);
      if ((what & RAW) != 0) {
        wire.accept(payload);
      } else {
        frame(what & 15, number, payload, (what & WRONG_CRC) == 0);
      }
      step((what & WAIT) != 0 ? 300 : 1);
      if (number % 3 == 0) {
        long ignored = end.machine.receive(into, 0, now);
      }
      check();
    }
  }

  private void frame(int kind, long number, byte[] payload, boolean sealed) {
    byte[] bytes = new byte[IsleFrame.HEADER_BYTES + payload.length];
    MemorySegment frame = MemorySegment.ofArray(bytes);
    IsleFrame.header(frame, 0, kind, number, payload.length, now);
    MemorySegment.copy(
        payload, 0, frame, ValueLayout.JAVA_BYTE, IsleFrame.HEADER_BYTES, payload.length);
    if (sealed) {
      new FrameCrc(frame).seal(0, payload.length);
    }
    wire.accept(bytes);
  }

  /** The hostile one connects again and again. */
  private void step(int ms) {
    now += ms * MS;
    path.now(now);
    if (path.port(RingSide.NEXT) instanceof FakeConnection connection) {
      if (connection.ended && connection.up) {
        connection.leave();
      }
      long ignored = connection.poll(now);
    }
    long next = end.machine.poll(now);
    assertTrue(next > 0);
  }

  private void check() {
    SendWindow window = end.machine.window();
    assertTrue(window.next() - window.first() <= End.WINDOW);
    assertTrue(memory.bytes() <= MOST_MEMORY, () -> memory.bytes() + " bytes");
  }

  /** The real neighbour comes back, and packets go both ways, none twice, and none is lost. */
  void theRealOneGoesOn() {
    path.port(RingSide.NEXT).reopen();
    exchange();
  }

  private void exchange() {
    realLane.port(path.port(RingSide.NEXT).kind(), false, now);
    for (int i = 0; i < PATIENCE && !(real.machine.isUp() && isWithReal()); i++) {
      both();
      while (end.machine.receive(into, 0, now) > 0) {
        // packets of the hostile one
      }
    }
    assertTrue(real.machine.isUp() && isWithReal(), () -> "not up: " + lane.reason());
    long all = end.received + 20;
    for (int i = 0; i < PATIENCE && (end.received < all || real.received < all); i++) {
      boolean ignored = real.sent < all && real.send(now) | (end.sent < all && end.send(now));
      both();
      ignored = end.receive(now) | real.receive(now);
    }
    assertEquals(all, end.received);
    assertEquals(all, real.received);
    for (int i = 0; i < 50; i++) {
      both();
    }
  }

  private boolean isWithReal() {
    return end.machine.isUp() && end.machine.peer().node().equals("a");
  }

  private void both() {
    now += 10 * MS;
    path.now(now);
    long next = Math.min(end.machine.poll(now), real.machine.poll(now));
    assertTrue(next > 0);
  }

  @Override
  public void close() {
    memory.close();
  }
}
