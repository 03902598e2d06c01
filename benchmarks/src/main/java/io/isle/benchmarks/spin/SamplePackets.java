package io.isle.benchmarks.spin;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;

/** Packets of Ethernet, of which about half are SLMP; the same in each process. */
final class SamplePackets {
  /** A power of two. */
  static final int COUNT = 4096;

  private static final int SLMP_PORT = 9330;

  private SamplePackets() {}

  static byte[][] all() {
    Random random = new Random(9330);
    byte[][] packets = new byte[COUNT][];
    for (int i = 0; i < COUNT; i++) {
      packets[i] = packet(random);
    }
    return packets;
  }

  private static byte[] packet(Random random) {
    byte[] packet = new byte[random.nextBoolean() ? 60 + random.nextInt(5) : 1454];
    random.nextBytes(packet);
    int kind = random.nextInt(10);
    ByteBuffer fields = ByteBuffer.wrap(packet);
    fields.putShort(12, (short) (kind == 0 ? 0x0806 : 0x0800)).put(14, (byte) 0x45);
    fields.putShort(20, (short) 0).put(23, (byte) (kind <= 2 ? 6 : 17));
    fields.putShort(36, (short) (kind <= 4 ? 53 : SLMP_PORT));
    return packet;
  }

  /** A length before each packet, as {@code bench-match} reads them. */
  static byte[] file(byte[][] packets) {
    int bytes = 0;
    for (byte[] packet : packets) {
      bytes += Integer.BYTES + packet.length;
    }
    ByteBuffer file = ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
    for (byte[] packet : packets) {
      file.putInt(packet.length).put(packet);
    }
    return file.array();
  }
}
