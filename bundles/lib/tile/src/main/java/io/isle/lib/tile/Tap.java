package io.isle.lib.tile;

import io.isle.lib.tango.Chunks;
import io.isle.lib.tango.Dcache;
import io.isle.lib.tango.LinkWriter;
import io.isle.lib.tango.Mcache;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A link on which a tile shows copies of its frames, for captures. The tile never waits: a reader
 * that is too slow loses frames. The memory has an mcache at 0, whose application region has the
 * queue of the interface as an int, and a dcache at the next multiple of 4096; chunks count from
 * the begin, and signatures are those of {@link TapMark}. One thread at a time. Allocates nothing
 * after construction.
 */
public final class Tap {
  private static final long APP_BYTES = Integer.BYTES;

  private final LinkWriter writer;
  private final MemorySegment memory;
  private final int snap;
  private final int queue;

  /**
   * Goes on where another tile has ended, also by a crash.
   *
   * @param memory as {@link #format} made it
   * @throws IllegalArgumentException naming the field and its limit
   */
  public Tap(MemorySegment memory) {
    Mcache mcache = Mcache.open(memory);
    long at = dcacheOffset(mcache.depth());
    long bytes = Dcache.open(memory.asSlice(at)).dataBytes();
    this.snap = Chunks.largestMtu(bytes, mcache.depth());
    this.memory = memory;
    this.queue = mcache.app().get(ValueLayout.JAVA_INT, 0);
    writer = new LinkWriter(mcache, Chunks.of(memory, at + Dcache.ALIGN, bytes, snap));
  }

  private static long dcacheOffset(int depth) {
    return Mcache.footprint(depth, APP_BYTES) + Dcache.ALIGN - 1 & -Dcache.ALIGN;
  }

  /**
   * Bytes of a tap.
   *
   * @param depth lines, a power of two from 128
   * @param snap most bytes of a copy, 1 to 65535; rounded up to 128
   * @throws IllegalArgumentException naming the limit
   */
  public static long bytes(int depth, int snap) {
    return dcacheOffset(depth) + Dcache.footprint(Dcache.dataBytes(snap, depth, 1), 0);
  }

  /**
   * Makes a tap without frames.
   *
   * @param memory {@link #bytes} of them at a multiple of 4096
   * @param queue of the interface, 0 to {@link TapMark#QUEUES} - 1
   * @throws IllegalArgumentException naming the limit
   */
  public static void format(MemorySegment memory, int depth, int snap, int queue) {
    if (queue < 0 || queue >= TapMark.QUEUES) {
      throw new IllegalArgumentException(
          "queue " + queue + " of a tap is not in 0.." + (TapMark.QUEUES - 1));
    }
    Mcache mcache = Mcache.create(memory, depth, APP_BYTES, 0);
    mcache.app().set(ValueLayout.JAVA_INT, 0, queue);
    Dcache ignored =
        Dcache.create(memory.asSlice(dcacheOffset(depth)), Dcache.dataBytes(snap, depth, 1), 0);
  }

  /**
   * Shows a received frame.
   *
   * @param nowNs the tile's time, of which the low half counts
   * @param from memory of the frame
   * @param length bytes of the frame, 0 to 65535, all of them in {@code from}
   * @param drop null for a frame that an app got
   */
  public void received(long nowNs, MemorySegment from, long offset, int length, RxDrop drop) {
    show(from, offset, length, TapMark.received(nowNs, length, queue, drop));
  }

  /** As {@link #received}, of a frame to send. */
  public void sent(long nowNs, MemorySegment from, long offset, int length, TxDrop drop) {
    show(from, offset, length, TapMark.sent(nowNs, length, queue, drop));
  }

  private void show(MemorySegment from, long offset, int length, long mark) {
    int kept = Math.min(length, snap);
    MemorySegment.copy(from, offset, memory, writer.offset(), kept);
    // the frame lies at the begin of its chunk: the low bits of its place are 0
    writer.publish(mark, kept, 0, (int) mark, (int) mark);
  }

  /** Tells readers of all frames, at the end of a cycle with frames. */
  public void settle() {
    writer.settle();
  }
}
