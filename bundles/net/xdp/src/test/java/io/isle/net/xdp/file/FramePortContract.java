package io.isle.net.xdp.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.net.FramePort;
import io.isle.api.net.FrameSource;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What holds for every port of frames. */
public abstract class FramePortContract {
  protected static final int MTU = 2000;

  private FramePort port;

  /** A port with an mtu of {@link #MTU} on which frames wait, and which has room for 8 more. */
  protected abstract FramePort open(List<byte[]> arriving) throws IOException;

  /** Frames that were sent by the port so far. */
  protected abstract List<byte[]> sent() throws IOException;

  @AfterEach
  void end() {
    if (port != null) {
      port.close();
    }
  }

  private FramePort port(byte[]... arriving) throws IOException {
    port = open(List.of(arriving));
    return port;
  }

  private static byte[] frame(int length, int mark) {
    byte[] frame = new byte[length];
    for (int i = 0; i < length; i++) {
      frame[i] = (byte) (mark + i);
    }
    return frame;
  }

  /** Keeps copies; one frame is never passed twice. */
  private static class Kept implements FrameSource.PlaceHandler {
    final List<byte[]> frames = new ArrayList<>();
    int valid;
    int overrun;

    @Override
    public void frame(MemorySegment memory, long offset, int length, long signature) {
      assertEquals(frames.size(), valid + overrun == 0 ? frames.size() : valid + overrun);
      frames.add(memory.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE));
    }

    @Override
    public void valid() {
      valid++;
    }

    @Override
    public void overrun() {
      overrun++;
    }
  }

  private static void send(FramePort port, byte[] frame) {
    long at = port.claim(frame.length);
    assertTrue(at >= 0, () -> "claim: " + at);
    MemorySegment.copy(MemorySegment.ofArray(frame), 0, port.memory(), at, frame.length);
    assertEquals(0, port.publish(frame.length, 7));
  }

  private static void assertFrames(List<byte[]> actual, byte[]... expected) {
    assertEquals(expected.length, actual.size());
    for (int i = 0; i < expected.length; i++) {
      assertArrayEquals(expected[i], actual.get(i), "frame " + i);
    }
  }

  @Test
  void framesArriveInTheirOrderUpToTheLimit() throws IOException {
    FramePort of = port(frame(14, 1), frame(60, 2), frame(MTU, 3));
    Kept kept = new Kept();
    assertEquals(2, of.poll(kept, 2));
    assertEquals(1, of.poll(kept, 2));
    assertEquals(0, of.poll(kept, 2));
    assertFrames(kept.frames, frame(14, 1), frame(60, 2), frame(MTU, 3));
    assertEquals(0, kept.valid);
    assertEquals(0, of.overruns());
  }

  @Test
  void framesInPlaceAreValidOrReplaced() throws IOException {
    FramePort of = port(frame(14, 1), frame(60, 2), frame(70, 3));
    Kept kept = new Kept();
    assertEquals(1, of.pollInPlace(kept, 1));
    assertEquals(2, of.pollInPlace(kept, 9));
    assertEquals(0, of.pollInPlace(kept, 9));
    assertFrames(kept.frames, frame(14, 1), frame(60, 2), frame(70, 3));
    assertEquals(3, kept.valid);
    assertEquals(0, kept.overrun);
  }

  @Test
  void framesLeaveInTheirOrder() throws IOException {
    FramePort of = port();
    send(of, frame(60, 1));
    send(of, frame(14, 2));
    assertEquals(0, of.flush());
    send(of, frame(MTU, 3));
    assertEquals(0, of.flush());
    assertFrames(sent(), frame(60, 1), frame(14, 2), frame(MTU, 3));
  }

  @Test
  void aFrameMayBecomeShorterAndAClaimMayBeRepeated() throws IOException {
    FramePort of = port();
    long first = of.claim(100);
    assertEquals(first, of.claim(50));
    MemorySegment.copy(MemorySegment.ofArray(frame(20, 5)), 0, of.memory(), first, 20);
    assertEquals(0, of.publish(20, 0));
    assertEquals(0, of.flush());
    assertFrames(sent(), frame(20, 5));
  }

  @Test
  void wrongLengthsHaveTheirCode() throws IOException {
    FramePort of = port();
    assertEquals(MTU, of.mtu());
    assertEquals(-Errno.EMSGSIZE, of.claim(13));
    assertEquals(-Errno.EMSGSIZE, of.claim(MTU + 1));
    assertEquals(-Errno.EINVAL, of.publish(20, 0));
    assertTrue(of.claim(20) >= 0);
    assertEquals(-Errno.EINVAL, of.publish(21, 0));
    assertEquals(-Errno.EINVAL, of.publish(13, 0));
    assertEquals(0, of.publish(20, 0));
    assertEquals(-Errno.EINVAL, of.publish(20, 0));
  }

  @Test
  void aHandlerMaySend() throws IOException {
    FramePort of = port(frame(60, 1), frame(61, 2));
    int polled =
        of.poll(
            (memory, offset, length, signature) -> {
              long at = of.claim(length);
              MemorySegment.copy(memory, offset, of.memory(), at, length);
              assertEquals(0, of.publish(length, signature));
            },
            9);
    assertEquals(2, polled);
    assertEquals(0, of.flush());
    assertFrames(sent(), frame(60, 1), frame(61, 2));
  }

  @Test
  void anEndedPortSaysSo() throws IOException {
    FramePort of = port(frame(60, 1));
    assertTrue(of.claim(20) >= 0);
    of.close();
    of.close();
    Kept kept = new Kept();
    assertEquals(-Errno.ECLOSED, of.poll(kept, 1));
    assertEquals(-Errno.ECLOSED, of.pollInPlace(kept, 1));
    assertEquals(-Errno.ECLOSED, of.claim(20));
    assertEquals(-Errno.ECLOSED, of.publish(20, 0));
    assertEquals(-Errno.ECLOSED, of.flush());
    assertEquals(List.of(), kept.frames);
  }
}
