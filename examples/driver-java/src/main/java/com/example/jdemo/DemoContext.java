package com.example.jdemo;

/** A context. Only the control lane uses its fields. */
final class DemoContext {
  final long id;
  final long memoryLimit;
  long memoryUsed;
  final IdTable<DemoProgram> programs = new IdTable<>();

  /**
   * @param memoryLimit in bytes; 0 for no limit
   */
  DemoContext(long id, long memoryLimit) {
    this.id = id;
    this.memoryLimit = memoryLimit;
  }
}
