package io.isle.itests;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The stage {@code mix} of rings, computed by itself. */
final class Mix {
  private Mix() {}

  /** What layers {@code start} to {@code end} make of the bytes. */
  static byte[] of(byte[] bytes, int start, int end) {
    byte[] padded = Arrays.copyOf(bytes, Math.ceilDiv(bytes.length, Integer.BYTES) * Integer.BYTES);
    ByteBuffer words = ByteBuffer.wrap(padded).order(ByteOrder.LITTLE_ENDIAN);
    for (int at = 0; at < padded.length; at += Integer.BYTES) {
      int word = words.getInt(at);
      for (int layer = start; layer < end; layer++) {
        word = Integer.rotateLeft(word ^ (0x9E3779B9 * (layer + 1)), layer % 31 + 1);
      }
      words.putInt(at, word);
    }
    return Arrays.copyOf(padded, bytes.length);
  }
}
