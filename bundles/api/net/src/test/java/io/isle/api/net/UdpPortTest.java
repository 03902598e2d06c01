package io.isle.api.net;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.api.base.Errno;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class UdpPortTest {
  /** From 198.18.0.1:40000 to 198.18.0.2:9000, "hello" and padding of Ethernet. */
  private static final byte[] HELLO =
      bytes(
          "020000000002020000000001 0800 4500 0021 0001 4000 40 11 aea3 c6120001 c6120002"
              + "9c40 2328 000d 0000 68656c6c6f 00000000000000000000000000");

  private static final int CLIENT = 0xC6120001;
  private static final int SERVER = 0xC6120002;

  private final Loop loop = new Loop();
  private final UdpPort port = new UdpPort(loop);

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }

  /** Frames in a list, and one frame to send at a time. */
  private static final class Loop implements FramePort {
    private final List<byte[]> arriving = new ArrayList<>();
    private final List<byte[]> sent = new ArrayList<>();
    private final MemorySegment memory = MemorySegment.ofArray(new byte[2048]);
    private long signature;
    private boolean closed;
    private boolean full;

    @Override
    public int poll(Handler handler, int limit) {
      if (closed) {
        return -Errno.ECLOSED;
      }
      int count = 0;
      for (; count < limit && !arriving.isEmpty(); count++) {
        byte[] frame = arriving.removeFirst();
        handler.frame(MemorySegment.ofArray(frame), 0, frame.length, 0);
      }
      return count;
    }

    @Override
    public int pollInPlace(PlaceHandler handler, int limit) {
      throw new AssertionError("not used");
    }

    @Override
    public long overruns() {
      return 0;
    }

    @Override
    public MemorySegment memory() {
      return memory;
    }

    @Override
    public int mtu() {
      return 1024;
    }

    @Override
    public long claim(int length) {
      return closed ? -Errno.ECLOSED : full ? -Errno.EAGAIN : 256;
    }

    @Override
    public int publish(int length, long mark) {
      sent.add(memory.asSlice(256, length).toArray(ValueLayout.JAVA_BYTE));
      signature = mark;
      return 0;
    }

    @Override
    public int flush() {
      return closed ? -Errno.ECLOSED : 0;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  @Test
  void aDatagramIsReadWithItsAddresses() {
    loop.arriving.add(HELLO);
    List<String> seen = new ArrayList<>();
    int polled =
        port.poll(
            datagram -> {
              byte[] payload =
                  datagram
                      .memory()
                      .asSlice(datagram.offset(), datagram.length())
                      .toArray(ValueLayout.JAVA_BYTE);
              seen.add(new String(payload, java.nio.charset.StandardCharsets.US_ASCII));
              assertEquals(CLIENT, datagram.source());
              assertEquals(40_000, datagram.sourcePort());
              assertEquals(SERVER, datagram.destination());
              assertEquals(9000, datagram.destinationPort());
            },
            8);
    assertEquals(1, polled);
    assertEquals(List.of("hello"), seen);
    assertEquals(0, port.ignored());
  }

  @Test
  void whatIsNoDatagramIsIgnored() {
    int[][] changes = {{12, 6}, {14, 0x65}, {14, 0x44}, {14, 0x4F}, {20, 0x20}, {21, 1}, {23, 6}};
    for (int[] change : changes) {
      byte[] frame = HELLO.clone();
      frame[change[0]] = (byte) change[1];
      loop.arriving.add(frame);
    }
    byte[] shortUdp = HELLO.clone();
    shortUdp[39] = 7;
    byte[] longUdp = HELLO.clone();
    longUdp[39] = 27;
    loop.arriving.addAll(List.of(shortUdp, longUdp, Arrays.copyOf(HELLO, 41), new byte[14]));
    int count = loop.arriving.size();
    assertEquals(count, port.poll(datagram -> assertEquals("no datagram", datagram.toString()), 99));
    assertEquals(count, port.ignored());
  }

  @Test
  void anAnswerGoesBackToItsSender() {
    loop.arriving.add(HELLO);
    port.poll(
        datagram -> {
          long at = port.claim(datagram.length());
          assertEquals(256 + UdpPort.HEADER_BYTES, at);
          MemorySegment.copy(
              datagram.memory(), datagram.offset(), port.memory(), at, datagram.length());
          assertEquals(0, port.reply(datagram.length(), datagram));
        },
        1);
    assertEquals(0, port.flush());
    assertArrayEquals(
        bytes(
            "000000000000000000000000 0800 4500 0021 0000 4000 40 11 aea4 c6120002 c6120001"
                + "2328 9c40 000d 0000 68656c6c6f"),
        loop.sent.getFirst());
    assertEquals(CLIENT, Integer.reverseBytes((int) loop.signature));
  }

  @Test
  void theSignatureNamesTheDestinationAndItsFlow() {
    port.claim(0);
    assertEquals(0, port.publish(0, 0, 1, 0x0A000001, 0x1234));
    long hash = 0x0100000AL | 0x1234L << 32;
    hash = (hash ^ hash >>> 33) * 0xFF51AFD7ED558CCDL;
    hash = (hash ^ hash >>> 33) * 0xC4CEB9FE1A85EC53L;
    hash ^= hash >>> 33;
    assertEquals(0x0100000AL | (hash & 0xFFFFF) << 44, loop.signature);
  }

  @Test
  void wrongCallsAreRefused() {
    assertEquals(-Errno.EINVAL, port.publish(0, 0, 1, 1, 1));
    assertEquals(-Errno.EMSGSIZE, port.claim(1024 - 41));
    assertEquals(-Errno.EMSGSIZE, port.claim(-1));
    assertEquals(256 + 42, port.claim(1024 - 42));
    assertEquals(-Errno.EINVAL, port.publish(1024 - 41, 0, 1, 1, 1));
    assertEquals(-Errno.EINVAL, port.publish(1, 0, 65536, 1, 1));
    assertEquals(-Errno.EINVAL, port.publish(1, 0, 1, 1, -1));
    assertEquals(0, port.publish(1, 0, 1, 1, 1));
    assertEquals(-Errno.EINVAL, port.publish(1, 0, 1, 1, 1));
    loop.full = true;
    assertEquals(-Errno.EAGAIN, port.claim(1));
    port.close();
    assertEquals(-Errno.ECLOSED, port.claim(1));
    assertEquals(-Errno.ECLOSED, port.poll(datagram -> {}, 1));
    assertEquals(-Errno.ECLOSED, port.flush());
  }
}
