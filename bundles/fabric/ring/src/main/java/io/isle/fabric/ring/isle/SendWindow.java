package io.isle.fabric.ring.isle;

import io.isle.lib.leap.isle.FrameCrc;
import io.isle.lib.leap.isle.Hello;
import io.isle.lib.leap.isle.IsleFrame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The numbered frames of a direction that are not acknowledged, sealed and ready for any path. The
 * memory that became free last is used next, because it is still in the cache. One thread at a
 * time. Allocates nothing once each slot was used.
 */
final class SendWindow {
  private static final int MASK = Hello.MAX_WINDOW - 1;

  private final Arena arena;
  private final int frameBytes;
  private final int window;
  private final MemorySegment[] memory;
  private final FrameCrc[] checks;
  private final int[] free;
  private int freeCount;
  private final int[] slots = new int[Hello.MAX_WINDOW];
  private final int[] bytes = new int[Hello.MAX_WINDOW];
  private long first = 1;
  private long next = 1;

  SendWindow(IsleSpec spec, Arena arena) {
    this.arena = arena;
    frameBytes = spec.frameBytes();
    window = spec.frames();
    memory = new MemorySegment[window];
    checks = new FrameCrc[window];
    free = new int[window];
    for (int i = 0; i < window; i++) {
      free[i] = window - 1 - i;
    }
    freeCount = window;
  }

  /** Number of the oldest frame that is not acknowledged; {@link #next} for none. */
  long first() {
    return first;
  }

  /** Number of the next frame that is added. */
  long next() {
    return next;
  }

  boolean isFull() {
    return freeCount == 0;
  }

  boolean isEmpty() {
    return first == next;
  }

  /** Frames that may be added. */
  int room() {
    return freeCount;
  }

  int window() {
    return window;
  }

  /** Adds a frame of two parts; there must be room. */
  void add(
      int kind,
      MemorySegment head,
      long headLength,
      MemorySegment data,
      long offset,
      long length,
      long nowNs) {
    int slot = free[--freeCount];
    if (memory[slot] == null) {
      memory[slot] = arena.allocate(frameBytes, 64);
      checks[slot] = new FrameCrc(memory[slot]);
    }
    MemorySegment frame = memory[slot];
    int payload = (int) (headLength + length);
    IsleFrame.header(frame, 0, kind, next, payload, nowNs);
    if (headLength > 0) {
      MemorySegment.copy(head, 0, frame, IsleFrame.HEADER_BYTES, headLength);
    }
    MemorySegment.copy(data, offset, frame, IsleFrame.HEADER_BYTES + headLength, length);
    checks[slot].seal(0, payload);
    slots[index(next)] = slot;
    bytes[index(next)] = IsleFrame.HEADER_BYTES + payload;
    next++;
  }

  /** The memory of a frame, from offset 0; {@code first <= number < next}. */
  MemorySegment frame(long number) {
    return memory[slots[index(number)]];
  }

  /** Bytes of a frame with its header. */
  int bytes(long number) {
    return bytes[index(number)];
  }

  /**
   * The neighbour has all frames up to a number.
   *
   * @return frames that this call ended
   */
  int acknowledge(long delivered) {
    int ended = 0;
    while (first <= delivered && first < next) {
      free[freeCount++] = slots[index(first)];
      first++;
      ended++;
    }
    return ended;
  }

  /**
   * Numbers from 1 again, and forgets the frames that were on a path.
   *
   * @param written largest number that was on a path
   * @return frames that were on a path and not acknowledged
   */
  int restart(long written) {
    int lost = acknowledge(written);
    int[] slotsBefore = slots.clone();
    int[] bytesBefore = bytes.clone();
    long from = first;
    long end = next;
    first = 1;
    next = 1;
    for (long number = from; number < end; number++) {
      int slot = slotsBefore[index(number)];
      int length = bytesBefore[index(number)];
      renumber(slot, next, length - IsleFrame.HEADER_BYTES);
      slots[index(next)] = slot;
      bytes[index(next)] = length;
      next++;
    }
    return lost;
  }

  private void renumber(int slot, long number, int payload) {
    MemorySegment frame = memory[slot];
    IsleFrame.header(frame, 0, IsleFrame.kind(frame, 0), number, payload, IsleFrame.time(frame, 0));
    checks[slot].seal(0, payload);
  }

  private static int index(long number) {
    return (int) number & MASK;
  }
}
