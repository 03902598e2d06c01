package io.isle.lib.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Ranges of one scratch memory that a stream sends, or receives, in one call. The scratch memory
 * belongs to the user of the vector: memory of others enters calls as a segment, not here.
 * Allocates nothing after construction. One thread at a time.
 */
public final class IoVector {
  private static final int LARGEST = 1024;
  private static final long HEADER_BYTES = 56;
  private static final long ENTRY_BYTES = 16;
  private static final long ENTRIES = 16;
  private static final long ENTRY_COUNT = 24;

  private final MemorySegment scratch;
  private final MemorySegment memory;
  private final int capacity;
  private int first;
  private int end;
  private long remaining;

  /**
   * An empty vector.
   *
   * @param scratch native memory; the vector keeps a reference
   * @param capacity largest number of ranges, 1 to 1024
   */
  public IoVector(MemorySegment scratch, int capacity) {
    if (capacity < 1 || capacity > LARGEST) {
      throw new IllegalArgumentException("capacity " + capacity + " is not in 1.." + LARGEST);
    }
    if (!scratch.isNative()) {
      throw new IllegalArgumentException("the scratch memory is on the heap");
    }
    this.scratch = scratch;
    this.capacity = capacity;
    this.memory = SocketLib.memory(HEADER_BYTES + capacity * ENTRY_BYTES);
    clear();
  }

  /** Forgets all ranges. */
  public void clear() {
    first = 0;
    end = 0;
    remaining = 0;
    update();
  }

  /**
   * Adds a range of the scratch memory behind the others.
   *
   * @throws IllegalStateException if the vector is full
   */
  public void add(long offset, long length) {
    Objects.checkFromIndexSize(offset, length, scratch.byteSize());
    if (end == capacity) {
      throw new IllegalStateException("the vector has " + capacity + " ranges already");
    }
    long entry = entry(end);
    memory.set(JAVA_LONG, entry, scratch.address() + offset);
    memory.set(JAVA_LONG, entry + 8, length);
    end++;
    remaining += length;
    update();
  }

  /** Bytes of all ranges that are left. */
  public long remaining() {
    return remaining;
  }

  /**
   * Takes bytes away from the begin, which a call has sent or received.
   *
   * @param bytes 0 to {@link #remaining}
   */
  public void advance(long bytes) {
    Objects.checkFromToIndex(0, bytes, remaining);
    long left = bytes;
    while (left > 0) {
      long entry = entry(first);
      long length = memory.get(JAVA_LONG, entry + 8);
      long taken = Math.min(left, length);
      memory.set(JAVA_LONG, entry, memory.get(JAVA_LONG, entry) + taken);
      memory.set(JAVA_LONG, entry + 8, length - taken);
      if (taken == length) {
        first++;
      }
      left -= taken;
    }
    remaining -= bytes;
    update();
  }

  private void update() {
    memory.set(JAVA_LONG, ENTRIES, memory.address() + entry(first));
    memory.set(JAVA_LONG, ENTRY_COUNT, end - first);
    memory.set(JAVA_INT, 48, 0);
  }

  private static long entry(int index) {
    return HEADER_BYTES + index * ENTRY_BYTES;
  }

  long header() {
    return memory.address();
  }

  MemorySegment memory() {
    return memory;
  }

  MemorySegment scratch() {
    return scratch;
  }
}
