package io.isle.lib.shm;

import java.util.Arrays;

/** Numbers, each once: open addressing, for the millions of states of a model. Not thread-safe. */
final class LongSet {
  private static final long FREE = -1;

  private long[] table = table(1 << 16);
  private int size;

  private static long[] table(int length) {
    long[] table = new long[length];
    Arrays.fill(table, FREE);
    return table;
  }

  /**
   * Adds a number.
   *
   * @param number 0 or more
   * @return whether it is new
   */
  boolean add(long number) {
    if (number < 0) {
      throw new IllegalArgumentException(number + " is negative");
    }
    if (size > table.length / 2) {
      grow();
    }
    int at = place(number);
    if (table[at] == number) {
      return false;
    }
    table[at] = number;
    size++;
    return true;
  }

  int size() {
    return size;
  }

  private void grow() {
    long[] old = table;
    table = table(2 * old.length);
    for (long number : old) {
      if (number != FREE) {
        table[place(number)] = number;
      }
    }
  }

  /** Where it stands, or would. */
  private int place(long number) {
    long mixed = number * 0x9e3779b97f4a7c15L;
    int at = (int) (mixed >>> 32) & (table.length - 1);
    while (table[at] != FREE && table[at] != number) {
      at = at + 1 & (table.length - 1);
    }
    return at;
  }
}
