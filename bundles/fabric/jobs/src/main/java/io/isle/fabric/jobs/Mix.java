package io.isle.fabric.jobs;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The stage {@code mix} of some layers, computed here: layer l makes each little-endian number w of
 * 32 bits rotl(w ^ (0x9E3779B9 * (l + 1)), l % 31 + 1). Immutable.
 */
final class Mix {
  private static final int GOLDEN = 0x9E3779B9;
  private static final int ROTATIONS = 31;
  private static final ValueLayout.OfInt LE =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final int[] keys;
  private final int[] turns;

  /**
   * @param start first layer
   * @param end the layer behind the last
   */
  Mix(int start, int end) {
    keys = new int[end - start];
    turns = new int[end - start];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = GOLDEN * (start + i + 1);
      turns[i] = (start + i) % ROTATIONS + 1;
    }
  }

  private int word(int given) {
    int word = given;
    for (int i = 0; i < keys.length; i++) {
      word = Integer.rotateLeft(word ^ keys[i], turns[i]);
    }
    return word;
  }

  /** Whether a reply is what the layers make of a payload of {@code bytes}, whole numbers. */
  boolean isOf(
      MemorySegment payload, long offset, MemorySegment reply, long replyOffset, int bytes) {
    for (int at = 0; at < bytes; at += Integer.BYTES) {
      if (word(payload.get(LE, offset + at)) != reply.get(LE, replyOffset + at)) {
        return false;
      }
    }
    return true;
  }
}
