package io.isle.apps.chaos.check;

import java.util.Arrays;

/** The submissions of one context, by point. Not thread-safe. */
final class Account {
  /** No context has so many: the run would need hours on one context. */
  static final int MAX_POINTS = 1 << 24;

  static final short NONE = Short.MIN_VALUE;
  private static final int FIRST = 256;

  final String name;
  private boolean[] submitted = new boolean[FIRST];
  private byte[] ends = new byte[FIRST];
  private byte[] results = new byte[FIRST];
  private short[] status = filled(FIRST);
  private short[] told = filled(FIRST);
  private int[] steps = new int[FIRST];
  private int last;

  /** Points that cannot be: 0, negative, or beyond {@link #MAX_POINTS}. */
  long invented;

  Account(String name) {
    this.name = name;
  }

  int last() {
    return last;
  }

  boolean submitted(int point) {
    return submitted[point];
  }

  /** How often it ended, up to 100. */
  int ends(int point) {
    return ends[point];
  }

  /** The code of its first end, or {@link #NONE}. */
  short status(int point) {
    return status[point];
  }

  /** The code that the context told, or {@link #NONE}. */
  short told(int point) {
    return told[point];
  }

  int step(int point) {
    return steps[point];
  }

  boolean checked(int point) {
    return results[point] != 0;
  }

  boolean wrong(int point) {
    return (results[point] & 2) != 0;
  }

  void accept(LedgerEvent event) {
    switch (event) {
      case LedgerEvent.Submitted e -> {
        int point = place(e.point());
        submitted[point] = point > 0;
        steps[point] = e.step();
      }
      case LedgerEvent.Ended e -> {
        int point = place(e.point());
        ends[point] = (byte) Math.min(100, ends[point] + 1);
        if (status[point] == NONE) {
          status[point] = (short) e.status();
        }
      }
      case LedgerEvent.Told e -> {
        int point = place(e.point());
        told[point] = (short) e.status();
      }
      case LedgerEvent.Result e -> {
        int point = place(e.point());
        results[point] = (byte) (results[point] | (e.expected() == e.actual() ? 1 : 3));
      }
      case LedgerEvent.Opened e -> {}
      case LedgerEvent.Refused e -> {}
    }
  }

  /** The index of a point; 0, which no submission has, for one that cannot be. */
  private int place(long point) {
    if (point < 1 || point >= MAX_POINTS) {
      invented++;
      return 0;
    }
    int at = (int) point;
    last = Math.max(last, at);
    if (at >= ends.length) {
      grow(Math.max(at + 1, 2 * ends.length));
    }
    return at;
  }

  private void grow(int size) {
    int before = ends.length;
    submitted = Arrays.copyOf(submitted, size);
    ends = Arrays.copyOf(ends, size);
    results = Arrays.copyOf(results, size);
    steps = Arrays.copyOf(steps, size);
    status = Arrays.copyOf(status, size);
    told = Arrays.copyOf(told, size);
    Arrays.fill(status, before, size, NONE);
    Arrays.fill(told, before, size, NONE);
  }

  private static short[] filled(int size) {
    short[] all = new short[size];
    Arrays.fill(all, NONE);
    return all;
  }
}
