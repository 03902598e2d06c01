package io.isle.drivers.sim;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** A place in a context's queue: one submission with what its bindings name. */
final class Work {
  static final int MAX_BINDINGS = 64;

  long tag;
  MemorySegment commands;
  long offset;
  int waits;
  int bindings;
  int ops;
  final SimMemory[] memory = new SimMemory[MAX_BINDINGS];
  final SimProgram[] programs = new SimProgram[MAX_BINDINGS];

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
