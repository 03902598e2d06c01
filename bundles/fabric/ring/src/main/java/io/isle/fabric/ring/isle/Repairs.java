package io.isle.fabric.ring.isle;

import io.isle.lib.leap.Chunks;
import io.isle.lib.leap.isle.Hello;
import io.isle.lib.leap.isle.Nack;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** The chunks of frames in the window that the neighbour has asked for. One thread at a time. */
final class Repairs {
  private static final int MASK = Hello.MAX_WINDOW - 1;

  private final int words;
  private final long[] asked;

  /** Number of the frame of each part of {@code asked}; 0 for none. */
  private final long[] numbers = new long[Hello.MAX_WINDOW];

  private int count;

  Repairs(int frameBytes) {
    words = (Chunks.count(frameBytes) + Long.SIZE - 1) / Long.SIZE;
    asked = new long[Hello.MAX_WINDOW * words];
  }

  void clear() {
    Arrays.fill(numbers, 0);
    count = 0;
  }

  /**
   * A request.
   *
   * @param sent number of the last frame that was on the path
   * @return empty, or its fault
   */
  String ask(MemorySegment from, long at, int length, SendWindow window, long sent) {
    String fault = Nack.fault(from, at, length);
    if (!fault.isEmpty()) {
      return fault;
    }
    long number = Nack.number(from, at);
    if (number < window.first() || number > sent || number >= window.next()) {
      return "";
    }
    int total = Chunks.count(window.bytes(number));
    int ranges = Nack.ranges(from, at);
    for (int i = 0; i < ranges; i++) {
      if (Nack.last(from, at, i) >= total) {
        return "chunk " + Nack.last(from, at, i) + " is not in 0.." + (total - 1);
      }
    }
    open(number);
    if (ranges == 0) {
      mark(number, 0, total - 1);
    }
    for (int i = 0; i < ranges; i++) {
      mark(number, Nack.first(from, at, i), Nack.last(from, at, i));
    }
    return "";
  }

  private void open(long number) {
    int slot = (int) number & MASK;
    if (numbers[slot] != number) {
      count += numbers[slot] == 0 ? 1 : 0;
      numbers[slot] = number;
      Arrays.fill(asked, slot * words, (slot + 1) * words, 0);
    }
  }

  private void mark(long number, int first, int last) {
    int base = ((int) number & MASK) * words;
    for (int chunk = first; chunk <= last; chunk++) {
      asked[base + (chunk >> 6)] |= 1L << chunk;
    }
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** The frames below {@code first} have arrived. */
  void acknowledged(long first) {
    for (int i = 0; count > 0 && i < numbers.length; i++) {
      if (numbers[i] != 0 && numbers[i] < first) {
        numbers[i] = 0;
        count--;
      }
    }
  }

  /** The frame with the smallest number that has asked chunks; 0 for none. */
  long next() {
    long next = 0;
    for (int i = 0; count > 0 && i < numbers.length; i++) {
      if (numbers[i] != 0 && (next == 0 || numbers[i] < next)) {
        next = numbers[i];
      }
    }
    return next;
  }

  /**
   * Takes out chunks on end of a frame, the first ones.
   *
   * @param most most chunks
   * @return first chunk in the upper 32 bits, number of chunks in the lower ones; 0 for none, then
   *     the frame is forgotten
   */
  long take(long number, int most) {
    int slot = (int) number & MASK;
    int base = slot * words;
    for (int word = 0; word < words; word++) {
      if (asked[base + word] != 0) {
        int first = (word << 6) + Long.numberOfTrailingZeros(asked[base + word]);
        int end = first;
        while (end - first < most && (end >> 6) < words && isAsked(base, end)) {
          asked[base + (end >> 6)] &= ~(1L << end);
          end++;
        }
        return (long) first << 32 | end - first;
      }
    }
    numbers[slot] = 0;
    count--;
    return 0;
  }

  private boolean isAsked(int base, int chunk) {
    return (asked[base + (chunk >> 6)] >>> chunk & 1) != 0;
  }
}
