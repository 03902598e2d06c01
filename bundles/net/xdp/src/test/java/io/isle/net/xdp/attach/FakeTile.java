package io.isle.net.xdp.attach;

import io.isle.lib.tango.Mcache;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The side of a tile that apps see: frames of a UMEM, of which each line of a link owns one. */
final class FakeTile implements AutoCloseable {
  private static final int FRAME_BYTES = 2048;
  private static final int HEADROOM = 256;
  private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;

  private final int depth;
  private final LentMemory link;
  private final LentMemory frames;
  private final Mcache mcache;
  private final int[] owned;
  private int free;
  private long next;

  FakeTile(int depth) {
    this.depth = depth;
    link = LentMemory.create("test-rx", Mcache.footprint(depth, 0));
    frames = LentMemory.create("test-umem", (long) FRAME_BYTES * (depth + 1));
    mcache = Mcache.create(link.memory(), depth, 0, 0);
    owned = new int[depth];
    for (int i = 0; i < depth; i++) {
      owned[i] = i;
    }
    free = depth;
  }

  Attachment.Rx lent(int bell) {
    return new Attachment.Rx(
        link.lent(),
        0,
        mcache.next(),
        depth,
        frames.lent(),
        0,
        (long) FRAME_BYTES * (depth + 1),
        FRAME_BYTES,
        bell);
  }

  /** Publishes a frame whose words are its number, at an odd place; the displaced one is free. */
  void publish(int bytes) {
    long at = (long) free * FRAME_BYTES + HEADROOM + next % 64;
    MemorySegment memory = frames.memory();
    for (int i = 0; i + 8 <= bytes; i += 8) {
      memory.set(WORD, at + i, next);
    }
    put(at >>> 6, bytes, (int) (at & 63));
  }

  /** Publishes the bytes of a frame. */
  void publish(MemorySegment frame, int bytes) {
    long at = (long) free * FRAME_BYTES + HEADROOM;
    MemorySegment.copy(frame, 0, frames.memory(), at, bytes);
    put(at >>> 6, bytes, 0);
  }

  /** Publishes any line. */
  void put(long chunk, int bytes, int ctl) {
    mcache.publish(next, next, chunk, bytes, ctl, 0, 0);
    int line = (int) (next++ & depth - 1);
    int displaced = owned[line];
    owned[line] = free;
    free = displaced;
  }

  void settle() {
    mcache.produced(next);
  }

  @Override
  public void close() {
    link.close();
    frames.close();
  }
}
