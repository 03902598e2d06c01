package com.example.jdemo;

/** A context; its fields belong to the control lane. */
final class DemoContext {
  final long id;
  final long memoryLimit;
  long memoryUsed;
  final IdTable<DemoProgram> programs = new IdTable<>();

  /**
   * @param memoryLimit bytes; 0 for none
   */
  DemoContext(long id, long memoryLimit) {
    this.id = id;
    this.memoryLimit = memoryLimit;
  }
}
