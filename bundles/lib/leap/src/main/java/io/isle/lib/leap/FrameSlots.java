package io.isle.lib.leap;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Frames under way, by number: at most {@link #window} numbers on end at a time. */
final class FrameSlots {
  private static final int MASK = Reassembly.WINDOW - 1;

  private final Arena arena;
  private final int frameBytes;
  private final int window;
  private final int words;
  private final MemorySegment[] buffers;
  private final long[] bitmaps;
  private final int[] free;
  private int freeCount;

  private final int[] sequence = new int[Reassembly.WINDOW];
  private final int[] total = new int[Reassembly.WINDOW];
  private final int[] arrived = new int[Reassembly.WINDOW];
  private final int[] bytes = new int[Reassembly.WINDOW];
  private final int[] buffer = new int[Reassembly.WINDOW];
  private final long[] since = new long[Reassembly.WINDOW];
  private final long[] last = new long[Reassembly.WINDOW];
  private final boolean[] dead = new boolean[Reassembly.WINDOW];

  FrameSlots(ReassemblyRules rules, Arena arena) {
    this.arena = arena;
    frameBytes = rules.frameBytes();
    window = (int) Math.min(Reassembly.WINDOW, rules.memoryBytes() / frameBytes);
    words = (Chunks.count(frameBytes) + Long.SIZE - 1) / Long.SIZE;
    buffers = new MemorySegment[window];
    bitmaps = new long[window * words];
    free = new int[window];
    for (int i = 0; i < window; i++) {
      free[i] = window - 1 - i;
    }
    freeCount = window;
  }

  int window() {
    return window;
  }

  /** Makes room for a frame of which nothing has arrived. */
  void open(long number, int sequence, long now) {
    int slot = slot(number);
    this.sequence[slot] = sequence;
    total[slot] = 0;
    arrived[slot] = 0;
    bytes[slot] = 0;
    since[slot] = now;
    last[slot] = now;
    dead[slot] = false;
  }

  /** Gives the buffer back, if the frame has one. */
  void close(long number) {
    int slot = slot(number);
    if (total[slot] != 0) {
      free[freeCount++] = buffer[slot];
      total[slot] = 0;
    }
  }

  boolean has(long number, int chunk) {
    int slot = slot(number);
    return total[slot] != 0 && (bitmaps[buffer[slot] * words + (chunk >> 6)] >>> chunk & 1) != 0;
  }

  /** Adds a chunk that is not there yet. */
  void put(long number, int chunk, int chunks, MemorySegment from, long at, int length, long now) {
    int slot = slot(number);
    if (total[slot] == 0) {
      total[slot] = chunks;
      since[slot] = now;
      buffer[slot] = take();
    }
    int index = buffer[slot];
    bitmaps[index * words + (chunk >> 6)] |= 1L << chunk;
    MemorySegment.copy(from, at, buffers[index], Chunks.offset(chunk), length);
    arrived[slot]++;
    bytes[slot] += length;
    last[slot] = now;
  }

  private int take() {
    int index = free[--freeCount];
    if (buffers[index] == null) {
      buffers[index] = arena.allocate(frameBytes, Long.BYTES * 8L);
    }
    for (int i = index * words; i < (index + 1) * words; i++) {
      bitmaps[i] = 0;
    }
    return index;
  }

  boolean isWhole(long number) {
    int slot = slot(number);
    return total[slot] != 0 && arrived[slot] == total[slot];
  }

  MemorySegment memory(long number) {
    return buffers[buffer[slot(number)]];
  }

  int bytes(long number) {
    return bytes[slot(number)];
  }

  int sequence(long number) {
    return sequence[slot(number)];
  }

  /** Chunks of the frame; 0 if none arrived. */
  int total(long number) {
    return total[slot(number)];
  }

  int arrived(long number) {
    return arrived[slot(number)];
  }

  /** Time from which the frame counts as late. */
  long since(long number) {
    return since[slot(number)];
  }

  /** Time of the last new chunk. */
  long last(long number) {
    return last[slot(number)];
  }

  /** The frame will not be continued: its peer has restarted. */
  void kill(long number) {
    dead[slot(number)] = true;
  }

  boolean isDead(long number) {
    return dead[slot(number)];
  }

  /** First chunk at {@code from} or behind that is there or not, as wished; else the total. */
  int find(long number, int from, boolean there) {
    int slot = slot(number);
    int base = buffer[slot] * words;
    int at = from;
    while (at < total[slot]) {
      long word = bitmaps[base + (at >> 6)];
      long rest = (there ? word : ~word) >>> at;
      if (rest != 0) {
        return Math.min(total[slot], at + Long.numberOfTrailingZeros(rest));
      }
      at = (at | (Long.SIZE - 1)) + 1;
    }
    return total[slot];
  }

  private static int slot(long number) {
    return (int) number & MASK;
  }
}
