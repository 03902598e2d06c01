package io.isle.core.accel;

import io.isle.api.base.Errno;
import io.isle.lib.kabi.CommandOp;

/** Checks the arguments of the dispatch being written against its program's entry. */
final class DispatchArguments {
  private int[] kinds;
  private int[] access;
  private int count;

  void begin(LoadedProgram program, int entry) {
    kinds = program.kinds(entry);
    access = program.access(entry);
    count = 0;
  }

  void end() {
    kinds = null;
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
