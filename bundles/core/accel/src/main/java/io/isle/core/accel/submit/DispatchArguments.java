package io.isle.core.accel.submit;

import io.isle.api.base.Errno;
import io.isle.core.accel.context.EntryTable;
import io.isle.lib.kabi.CommandOp;

/** Checks the arguments of the dispatch being written against its program's entry. */
final class DispatchArguments {
  private EntryTable table;
  private int entry;
  private int[] kinds;
  private int[] access;
  private int count;

  void begin(EntryTable of, int number) {
    table = of;
    entry = number;
    kinds = of.kinds(number);
    access = of.access(number);
    count = 0;
  }

  void end() {
    kinds = null;
    table = null;
  }

  /** The entries of what is dispatched, while it is {@link #open}. */
  EntryTable table() {
    return table;
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

  /** Whether the next argument is a value, which may be given by its bytes. */
  boolean takesBytes() {
    return count < kinds.length
        && kinds[count] != CommandOp.Arg.BUFFER
        && kinds[count] != CommandOp.Arg.LOCAL;
  }

  /** Bytes of the next argument; 0 if they are not known. */
  int bytes() {
    return table.bytes(entry)[count];
  }

  /** The next argument was given by its bytes. */
  void tookBytes() {
    count++;
  }

  boolean complete() {
    return count == kinds.length;
  }

  int count() {
    return count;
  }
}
