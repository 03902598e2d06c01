package io.isle.faces.shell.spin;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Captures of all kinds, byte by byte. */
final class CaptureBytes {
  private static final int ROOM = 1 << 20;
  private static final int[] LINK_TYPES = {0, 1, 101, 113, 147, 228};
  private static final int SECTION = 0x0A0D0D0A;
  private static final int INTERFACE = 1;
  private static final int SIMPLE = 3;
  private static final int NAMES = 4;
  private static final int ENHANCED = 6;

  private final Random random;
  private final ByteBuffer out = ByteBuffer.allocate(ROOM);

  private CaptureBytes(Random random) {
    this.random = random;
    out.order(random.nextBoolean() ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
  }

  /** A file with these packets, some of which were longer than what was captured. */
  static byte[] of(List<byte[]> packets, Random random) {
    CaptureBytes file = new CaptureBytes(random);
    if (random.nextBoolean()) {
      file.pcap(packets);
    } else {
      file.pcapng(packets);
    }
    return Arrays.copyOf(file.out.array(), file.out.position());
  }

  private int linkType() {
    return LINK_TYPES[random.nextInt(LINK_TYPES.length)];
  }

  private int original(byte[] packet) {
    return packet.length + (random.nextInt(3) == 0 ? random.nextInt(2000) : 0);
  }

  private void pcap(List<byte[]> packets) {
    out.putInt(random.nextBoolean() ? 0xA1B2C3D4 : 0xA1B23C4D);
    out.putShort((short) 2).putShort((short) 4).putLong(0).putInt(65535).putInt(linkType());
    for (byte[] packet : packets) {
      out.putInt(random.nextInt(1 << 30)).putInt(random.nextInt(1_000_000));
      out.putInt(packet.length).putInt(original(packet)).put(packet);
    }
  }

  private void pcapng(List<byte[]> packets) {
    section();
    int interfaces = 0;
    for (byte[] packet : packets) {
      if (random.nextInt(40) == 0) {
        section();
        interfaces = 0;
      }
      if (interfaces == 0 || random.nextInt(20) == 0) {
        block(INTERFACE, body(8).putShort((short) linkType()).putShort((short) 0).putInt(0));
        interfaces++;
      }
      if (random.nextInt(20) == 0) {
        block(NAMES, body(4).putInt(0));
      }
      int padded = (packet.length + 3) / 4 * 4;
      if (random.nextInt(4) == 0) {
        block(SIMPLE, body(4 + padded).putInt(packet.length).put(packet));
      } else {
        ByteBuffer body = body(20 + padded).putInt(random.nextInt(interfaces));
        body.putInt(0x50000).putInt(random.nextInt());
        block(ENHANCED, body.putInt(packet.length).putInt(original(packet)).put(packet));
      }
    }
  }

  private void section() {
    block(SECTION, body(16).putInt(0x1A2B3C4D).putShort((short) 1).putShort((short) 0).putLong(-1));
  }

  private ByteBuffer body(int length) {
    return ByteBuffer.allocate(length).order(out.order());
  }

  private void block(int type, ByteBuffer body) {
    int length = 12 + body.capacity();
    out.putInt(type).putInt(length).put(body.array()).putInt(length);
  }
}
