package io.isle.spin.nic.hpus;

/** How a task has ended, as its HPU says: numbers are in range, but may be wrong. Used again. */
public final class TaskEnding {
  int result;
  int cause;
  int instruction;
  long address;
  long ns;

  TaskEnding() {}

  /** {@code SpinStructs.RESULT_DONE}, {@code RESULT_TRAPPED} or {@code RESULT_REFUSED}. */
  public int result() {
    return result;
  }

  /** {@code SpinStructs.CAUSE_*}; 0 without a trap. */
  public int cause() {
    return cause;
  }

  /** Offset of a trap in the image, unsigned; 0 outside of it. */
  public int instruction() {
    return instruction;
  }

  /** What a trap has accessed. */
  public long address() {
    return address;
  }

  /** Time of the HPU, 0 or more. */
  public long ns() {
    return ns;
  }
}
