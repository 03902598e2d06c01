package io.isle.net.xdp.bpf;

import io.isle.api.net.FrameMatch;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;

/** Random matches, and random frames that are close to one of them. */
final class Frames {
  private final Random random;

  Frames(long seed) {
    this.random = new Random(seed);
  }

  FrameMatch match() {
    List<Integer> ports = new ArrayList<>();
    int count = 1 + random.nextInt(FrameMatch.MAX_PORTS);
    while (ports.size() < count) {
      int port = 1 + random.nextInt(65535);
      if (!ports.contains(port)) {
        ports.add(port);
      }
    }
    OptionalInt address =
        random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(random.nextInt());
    return new FrameMatch(ports, address, random.nextBoolean());
  }

  /** Each field is mostly right, so that many frames go far. */
  byte[] frame(FrameMatch match) {
    byte[] frame = new byte[200];
    random.nextBytes(frame);
    boolean vlan = seldom();
    u16(frame, 12, vlan ? 0x8100 : seldom() ? random.nextInt(65536) : 0x0800);
    int ip = 14 + (vlan ? 4 : 0);
    boolean gre = random.nextInt(3) == 0;
    int next = header(frame, ip, gre ? 47 : 17, match);
    if (gre) {
      u16(frame, next, seldom() ? 0x2000 : 0);
      u16(frame, next + 2, seldom() ? 0x6558 : 0x0800);
      next = header(frame, next + 4, 17, match);
    }
    int port = match.ports().get(random.nextInt(match.ports().size()));
    u16(frame, next + 2, seldom() ? random.nextInt(65536) : port);
    int length = next + 8 + random.nextInt(20);
    if (random.nextInt(4) == 0) {
      length = 14 + random.nextInt(length - 13);
    }
    return java.util.Arrays.copyOf(frame, length);
  }

  /** Offset behind the header. */
  private int header(byte[] frame, int ip, int protocol, FrameMatch match) {
    int words = random.nextInt(8) == 0 ? random.nextInt(16) : 5 + random.nextInt(11);
    frame[ip] = (byte) (0x40 | words);
    frame[ip + 9] = (byte) (seldom() ? random.nextInt(256) : protocol);
    if (match.address().isPresent() && !seldom()) {
      u16(frame, ip + 16, match.address().getAsInt() >>> 16);
      u16(frame, ip + 18, match.address().getAsInt());
    }
    return ip + 4 * words;
  }

  private boolean seldom() {
    return random.nextInt(12) == 0;
  }

  private static void u16(byte[] frame, int at, int value) {
    frame[at] = (byte) (value >>> 8);
    frame[at + 1] = (byte) value;
  }
}
