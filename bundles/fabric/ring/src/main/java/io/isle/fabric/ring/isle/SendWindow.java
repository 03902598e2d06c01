package io.isle.fabric.ring.isle;

import io.isle.lib.leap.Control;
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
  /** A slot for the division of layers that comes before the frames of a full window. */
  private static final int SPARE = 1;

  private static final int PLACES = 2 * Hello.MAX_WINDOW;

  /** Bytes that are copied and then checked: fewer than the first cache of a processor has. */
  private static final int BLOCK = 4 << 10;

  private final Arena arena;
  private final int frameBytes;
  private final int window;
  private final MemorySegment[] memory;
  private final FrameCrc[] checks;
  private final int[] free;
  private int freeCount;
  private final int[] slots = new int[PLACES];
  private final int[] bytes = new int[PLACES];
  private long first = 1;
  private long next = 1;

  SendWindow(IsleSpec spec, Arena arena) {
    this.arena = arena;
    frameBytes = spec.frameBytes();
    window = spec.frames();
    int count = window + SPARE;
    memory = new MemorySegment[count];
    checks = new FrameCrc[count];
    free = new int[count];
    for (int i = 0; i < count; i++) {
      free[i] = count - 1 - i;
    }
    freeCount = count;
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
    return freeCount <= SPARE;
  }

  boolean isEmpty() {
    return first == next;
  }

  /** Frames that may be added. */
  int room() {
    return Math.max(0, freeCount - SPARE);
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
    int slot = free[freeCount - 1];
    if (memory[slot] == null) {
      memory[slot] = arena.allocate(frameBytes, 64);
      checks[slot] = Checks.of(memory[slot]);
    }
    MemorySegment frame = memory[slot];
    int payload = (int) (headLength + length);
    IsleFrame.header(frame, 0, kind, next, payload, nowNs);
    if (headLength > 0) {
      MemorySegment.copy(head, 0, frame, IsleFrame.HEADER_BYTES, headLength);
    }
    int at = IsleFrame.HEADER_BYTES + (int) headLength;
    if (length > BLOCK) {
      copy(data, offset, frame, at, (int) length, checks[slot]);
    } else {
      MemorySegment.copy(data, offset, frame, at, length);
      checks[slot].seal(0, payload);
    }
    freeCount--;
    slots[index(next)] = slot;
    bytes[index(next)] = IsleFrame.HEADER_BYTES + payload;
    next++;
  }

  /** Copies and seals block by block: the checksum finds each block in the cache. */
  private static void copy(
      MemorySegment data, long offset, MemorySegment frame, int at, int length, FrameCrc check) {
    check.begin(0, at);
    for (int done = 0; done < length; done += BLOCK) {
      int bytes = Math.min(BLOCK, length - done);
      MemorySegment.copy(data, offset + done, frame, at + done, bytes);
      check.add(at + done, bytes);
    }
    check.seal(0);
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
   * @param resize the division of layers that comes first, unless another one does
   * @return frames that were on a path and not acknowledged
   */
  int restart(long written, LastResize resize, long nowNs) {
    int lost = acknowledge(written);
    int[] slotsBefore = slots.clone();
    int[] bytesBefore = bytes.clone();
    long from = first;
    long end = next;
    boolean repeats = resize.isKept() && !(from < end && isResize(from));
    first = 1;
    next = 1;
    if (repeats) {
      MemorySegment message = resize.message();
      add(IsleFrame.CONTROL, message, 0, message, 0, Control.MESSAGE_BYTES, nowNs);
    }
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

  private boolean isResize(long number) {
    MemorySegment frame = frame(number);
    return IsleFrame.kind(frame, 0) == IsleFrame.CONTROL
        && LastResize.isResize(frame, IsleFrame.HEADER_BYTES);
  }

  private void renumber(int slot, long number, int payload) {
    MemorySegment frame = memory[slot];
    IsleFrame.header(frame, 0, IsleFrame.kind(frame, 0), number, payload, IsleFrame.time(frame, 0));
    checks[slot].seal(0, payload);
  }

  private static int index(long number) {
    return (int) number & (PLACES - 1);
  }
}
