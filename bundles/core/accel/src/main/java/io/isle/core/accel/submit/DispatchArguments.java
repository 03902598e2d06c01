package io.isle.core.accel.submit;

import io.isle.api.base.Errno;
import io.isle.core.accel.context.LoadedProgram;
import io.isle.lib.kabi.CommandOp;

/** Checks the arguments of the dispatch being written against its program's entry. */
final class DispatchArguments {
  private LoadedProgram program;
  private int entry;
  private int[] kinds;
  private int[] access;
  private int count;

  void begin(LoadedProgram named, int number) {
    program = named;
    entry = number;
    kinds = named.kinds(number);
    access = named.access(number);
    count = 0;
  }

  void end() {
    kinds = null;
    program = null;
  }

  /** What is dispatched, while it is {@link #open}. */
  LoadedProgram program() {
    return program;
  }

  int entry() {
    return entry;
  }

  /** Whether a dispatch takes arguments now. */
  boolean open() {
    return kinds != null;
  }

  /** Accepts the next argument, or returns the negated code why not. */
  int next(int kind, int use, Bindings bindings) {
    if (count == kinds.length || kinds[count] != kind) {
      return -Errno.EINVAL;
    }
    if (kind == CommandOp.Arg.BUFFER) {
      int code = bindings.check(use, access[count]);
      if (code != 0) {
        return code;
      }
    }
    count++;
    return 0;
  }

  boolean complete() {
    return count == kinds.length;
  }

  int count() {
    return count;
  }
}
