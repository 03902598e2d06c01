package io.isle.net.ports.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.net.FrameSource;
import io.isle.api.net.port.OpenPort;
import io.isle.lib.ffi.PollSet;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Frames that go into ports and come out of them. */
public final class Frames {
  private static final long PATIENCE_NS = 20_000_000_000L;

  private Frames() {}

  /** Keeps copies of frames. */
  public static final class Kept implements FrameSource.PlaceHandler {
    public final List<byte[]> frames = new ArrayList<>();
    public int valid;

    @Override
    public void frame(MemorySegment memory, long offset, int length, long signature) {
      assertEquals(0, signature);
      frames.add(memory.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE));
    }

    @Override
    public void valid() {
      valid++;
    }

    @Override
    public void overrun() {
      throw new AssertionError("a frame of a socket is never replaced");
    }
  }

  /** A frame of Ethernet whose bytes count up. */
  public static byte[] counting(int length, int mark) {
    byte[] frame = new byte[length];
    for (int i = 0; i < length; i++) {
      frame[i] = (byte) (mark + i);
    }
    frame[0] &= (byte) 0xFE;
    return frame;
  }

  /** Publishes a frame. */
  public static void send(OpenPort port, byte[] frame) {
    long at = port.claim(frame.length);
    assertTrue(at >= 0, () -> "claim: " + at);
    MemorySegment.copy(MemorySegment.ofArray(frame), 0, port.memory(), at, frame.length);
    assertEquals(0, port.publish(frame.length, 7));
    assertEquals(0, port.flush());
  }

  /** Waits for something to read, then takes frames. */
  public static int poll(OpenPort port, Kept kept, int limit) {
    readable(port);
    return port.poll(kept, limit);
  }

  /** The next frame. */
  public static byte[] next(OpenPort port) {
    Kept kept = new Kept();
    until(() -> poll(port, kept, 1) != 0);
    assertEquals(1, kept.frames.size(), port::failure);
    return kept.frames.getFirst();
  }

  /** Waits until a port has a frame or a failure. */
  public static void readable(OpenPort port) {
    PollSet poll = new PollSet(1);
    poll.set(0, port.descriptor(), PollSet.POLLIN);
    assertEquals(1, poll.await(1, PATIENCE_NS), "nothing comes");
  }

  /** Looks again and again. */
  public static void until(BooleanSupplier condition) {
    long begin = System.nanoTime();
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() - begin < PATIENCE_NS, "it never holds");
      Thread.onSpinWait();
    }
  }
}
