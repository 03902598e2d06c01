package com.example.jdemo;

import java.lang.foreign.MemorySegment;

/** A slot of the queue: one submission, and the memory of its bindings. */
final class Work {
  static final int MAX_BINDINGS = 64;

  long tag;
  volatile DemoContext context;
  MemorySegment commands;
  long offset;
  int length;
  int waits;
  int bindings;
  int ops;
  final DemoMemory[] memory = new DemoMemory[MAX_BINDINGS];
  final DemoProgram[] programs = new DemoProgram[MAX_BINDINGS];

  /** Releases the memory of the bindings. */
  void release() {
    for (int i = 0; i < bindings; i++) {
      if (memory[i] != null) {
        memory[i].release();
        memory[i] = null;
      }
    }
    bindings = 0;
  }
}
