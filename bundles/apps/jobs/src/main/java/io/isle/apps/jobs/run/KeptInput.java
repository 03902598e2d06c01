package io.isle.apps.jobs.run;

import io.isle.api.accel.CommandWriter;

/**
 * An input that the program may write and that is needed again: the program is given a copy, which
 * each submission makes anew on the device. Used by the stream's thread.
 */
final class KeptInput {
  private final Resident input;
  private final Resident copy;
  private int from;

  /**
   * @param input with the contents; never changed
   * @param copy without contents of its own
   */
  KeptInput(Resident input, Resident copy) {
    this.input = input;
    this.copy = copy;
  }

  /** Both are on the device; returns 0 or a negated code. */
  int ensure(StreamContext stream) throws InterruptedException {
    int code = input.ensure(stream);
    return code == 0 ? copy.ensureUsable(stream) : code;
  }

  /**
   * Binds both.
   *
   * @param inputAccess bits of the input
   * @param access that the program has to the copy
   * @return the index of the copy's binding
   */
  int use(CommandWriter writer, int inputAccess, int access) {
    from = input.use(writer, 0, input.bytes(), inputAccess);
    return copy.use(writer, access);
  }

  /** Makes the copy, after {@link #use}. */
  void restore(CommandWriter writer, int to) {
    CommandWriter ignored = writer.copy(to, 0, from, 0, copy.bytes());
  }

  /** Work was submitted: the first time nothing was there to be put back. */
  void submitted(StepClock clock) {
    if (copy.isChanged()) {
      clock.putBack(copy.bytes());
    }
    copy.change();
    copy.submitted();
  }

  /** Gives back the memory of the copy. */
  void release() {
    copy.release();
  }
}
