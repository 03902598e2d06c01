package io.isle.drivers.sim;

import io.isle.api.driver.FenceProtocolSupport;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** A place in a context's queue: one submission with what its bindings name. */
final class Work {
  static final int MAX_BINDINGS = 64;
  static final int MAX_WAITS = 8;

  long tag;
  MemorySegment commands;
  long offset;
  int waits;
  int bindings;
  int ops;
  final SimMemory[] memory = new SimMemory[MAX_BINDINGS];
  final SimProgram[] programs = new SimProgram[MAX_BINDINGS];
  final long[] timelines = new long[MAX_WAITS];
  final long[] values = new long[MAX_WAITS];

  /** A bit for each wait that is not over. Written by the data lane, as the next. */
  volatile int waiting;

  /** What it waits for will not come. */
  volatile boolean cancelled;

  /** Whether it can begin, or has to end. */
  boolean isFree() {
    return waiting == 0 || cancelled;
  }

  /**
   * Data lane: a timeline has reached a value.
   *
   * @return whether it waits for nothing any more by that
   */
  boolean reach(long timeline, long value, FenceProtocolSupport support) {
    int left = waiting;
    for (int i = 0; i < MAX_WAITS; i++) {
      if (timelines[i] == timeline && support.reached(value, values[i])) {
        left &= ~(1 << i);
      }
    }
    boolean over = left != waiting && left == 0;
    waiting = left;
    return over;
  }

  /** Lets go of what it holds. */
  void release() {
    for (int i = 0; i < bindings; i++) {
      if (memory[i] != null) {
        memory[i].release();
      }
    }
    Arrays.fill(memory, 0, bindings, null);
    Arrays.fill(programs, 0, bindings, null);
    bindings = 0;
  }
}
