package io.isle.core.accel.submit;

import io.isle.api.accel.CommandWriter;
import io.isle.api.base.Errno;
import io.isle.core.accel.context.EntryTable;
import io.isle.core.accel.context.LoadedProgram;
import io.isle.core.accel.submit.Mistake.What;
import io.isle.lib.kabi.CommandOp;
import java.lang.foreign.MemorySegment;

/**
 * Checks and writes the dispatch of an envelope that is being written. Each call returns 0, or the
 * negated code of a mistake whose words it has noted. One thread.
 */
final class DispatchWriter {
  private static final long MAX_LOCAL_BYTES = 1L << 40;
  private static final long MAX_GROUP = (1L << 32) - 1;

  private final EnvelopeSlot slot;
  private final Bindings bindings;
  private final Mistake mistake;
  private final DispatchArguments arguments = new DispatchArguments();
  private final DispatchSlot operation;
  private int x;
  private int y;
  private int z;

  DispatchWriter(EnvelopeSlot slot, Bindings bindings, Mistake mistake) {
    this.slot = slot;
    this.bindings = bindings;
    this.mistake = mistake;
    this.operation = new DispatchSlot(slot);
  }

  /** No dispatch is being written. */
  void clear() {
    arguments.end();
  }

  /**
   * Whether a dispatch may be begun.
   *
   * @param loaded a program of the context; null for any other
   */
  int check(LoadedProgram loaded, int entry, int sizeX, int sizeY, int sizeZ) {
    if (loaded == null) {
      return refuse(What.FOREIGN_PROGRAM, -Errno.EINVAL, null, 0, 0, 0, 0);
    }
    EntryTable table = loaded.table();
    if (table.kinds(entry) == null) {
      return refuse(
          table.has(entry) ? What.UNUSABLE : What.ENTRY, -Errno.EINVAL, table, entry, 0, 0, 0);
    }
    if (sizeX < 1 || sizeY < 1 || sizeZ < 1) {
      return refuse(What.ITEMS, -Errno.EINVAL, table, entry, sizeX, sizeY, sizeZ);
    }
    if (!table.dispatches(entry) && !isCountable(sizeX, sizeY, sizeZ)) {
      return refuse(What.ALL_ITEMS, -Errno.EINVAL, table, entry, sizeX, sizeY, sizeZ);
    }
    int[] group = table.group(entry);
    return group.length == 0
        ? 0
        : checkDivides(What.REQUIRED_DIVIDES, table, entry, sizeX, group[0], 0)
            | checkDivides(What.REQUIRED_DIVIDES, table, entry, sizeY, group[1], 1)
            | checkDivides(What.REQUIRED_DIVIDES, table, entry, sizeZ, group[2], 2);
  }

  /** Begins a dispatch that {@link #check} allows; {@code binding} is the index of its program. */
  void begin(LoadedProgram loaded, int binding, int entry, int sizeX, int sizeY, int sizeZ) {
    if (!operation.begin(binding, entry, sizeX, sizeY, sizeZ)) {
      return;
    }
    x = sizeX;
    y = sizeY;
    z = sizeZ;
    EntryTable table = loaded.table();
    arguments.begin(table, entry);
    if (!table.dispatches(entry)) {
      operation.launch();
    }
  }

  int local(int sizeX, int sizeY, int sizeZ) {
    int code = beforeArguments(What.LOCAL_CALL);
    if (code == 0) {
      code = checkLocal(arguments.table(), arguments.entry(), sizeX, sizeY, sizeZ);
    }
    if (code == 0) {
      operation.launch();
      operation.local(sizeX, sizeY, sizeZ);
    }
    return code;
  }

  private int checkLocal(EntryTable table, int entry, int sizeX, int sizeY, int sizeZ) {
    if (sizeX < 1 || sizeY < 1 || sizeZ < 1) {
      return refuse(What.GROUP, -Errno.EINVAL, table, entry, sizeX, sizeY, sizeZ);
    }
    int[] group = table.group(entry);
    if (group.length > 0 && (sizeX != group[0] || sizeY != group[1] || sizeZ != group[2])) {
      return refuse(What.GROUP_REQUIRED, -Errno.EINVAL, table, entry, sizeX, sizeY, sizeZ);
    }
    int code =
        checkDivides(What.GROUP_DIVIDES, table, entry, x, sizeX, 0)
            | checkDivides(What.GROUP_DIVIDES, table, entry, y, sizeY, 1)
            | checkDivides(What.GROUP_DIVIDES, table, entry, z, sizeZ, 2);
    if (code != 0) {
      return code;
    }
    long most = table.mostInGroup(entry) == 0 ? MAX_GROUP : table.mostInGroup(entry);
    // two of 31 bits, and the third only if these are within 32 bits
    long items = (long) sizeX * sizeY;
    items = items > MAX_GROUP ? items : items * sizeZ;
    return items > most ? refuse(What.GROUP_MOST, -Errno.EINVAL, table, entry, items, most, 0) : 0;
  }

  private int checkDivides(
      What what, EntryTable table, int entry, int size, int group, int dimension) {
    return size % group == 0
        ? 0
        : refuse(what, -Errno.EINVAL, table, entry, dimension, size, group);
  }

  int offset(long firstX, long firstY, long firstZ) {
    int code = beforeArguments(What.OFFSET_CALL);
    if (code != 0) {
      return code;
    }
    if (firstX < 0 || firstY < 0 || firstZ < 0) {
      EntryTable table = arguments.table();
      return refuse(What.OFFSET, -Errno.ERANGE, table, arguments.entry(), firstX, firstY, firstZ);
    }
    operation.launch();
    operation.offset(firstX, firstY, firstZ);
    return 0;
  }

  /** Whether a dispatch has begun, without arguments, and can be a launch. */
  private int beforeArguments(What call) {
    return arguments.open() && arguments.count() == 0
        ? launches(call)
        : refuse(What.LATE, -Errno.EINVAL, null, 0, 0, 0, 0);
  }

  /** Whether a dispatch has begun and can be a launch. */
  private int launches(What call) {
    if (!arguments.open()) {
      return refuse(What.NO_DISPATCH, -Errno.EINVAL, null, 0, 0, 0, 0);
    }
    EntryTable table = arguments.table();
    if (!table.launches()) {
      return refuse(call, -Errno.ENOTSUP, table, arguments.entry(), 0, 0, 0);
    }
    return isCountable(x, y, z)
        ? 0
        : refuse(What.ALL_ITEMS, -Errno.EINVAL, table, arguments.entry(), x, y, z);
  }

  /** Whether the work items of a launch have a number of 64 bits. */
  private static boolean isCountable(int sizeX, int sizeY, int sizeZ) {
    return Math.unsignedMultiplyHigh((long) sizeX * sizeY, sizeZ) == 0;
  }

  /** A buffer or a number. */
  int argument(int kind, int use, long value) {
    if (!arguments.open()) {
      return refuse(What.NO_DISPATCH, -Errno.EINVAL, null, 0, 0, 0, 0);
    }
    int code = arguments.next(kind, use, bindings);
    if (code != 0) {
      return refuseArgument(code, kind, use);
    }
    operation.argument(kind, use, value);
    return 0;
  }

  int localBytes(long bytes) {
    int code = launches(What.ARG_LOCAL_CALL);
    if (code != 0) {
      return code;
    }
    if (bytes < 1 || bytes > MAX_LOCAL_BYTES) {
      return refuseValue(What.LOCAL_BYTES, -Errno.ERANGE, bytes, MAX_LOCAL_BYTES);
    }
    code = arguments.next(CommandOp.Arg.LOCAL, 0, bindings);
    if (code != 0) {
      return refuseArgument(code, CommandOp.Arg.LOCAL, 0);
    }
    operation.launch();
    operation.argument(CommandOp.Arg.LOCAL, 0, bytes);
    return 0;
  }

  int bytes(MemorySegment value) {
    int code = launches(What.ARG_BYTES_CALL);
    if (code != 0) {
      return code;
    }
    if (!arguments.takesBytes()) {
      return refuseArgument(-Errno.EINVAL, CommandOp.Arg.BYTES_OF_TAIL, 0);
    }
    long given = value == null ? 0 : value.byteSize();
    int wanted = arguments.bytes();
    if (given < 1 || wanted > 0 && given != wanted) {
      return refuseValue(What.BYTES, -Errno.EINVAL, given, wanted);
    }
    long all = operation.tail() + given;
    if (all > CommandWriter.MAX_ARGUMENT_BYTES) {
      return refuseValue(What.ALL_BYTES, -Errno.EMSGSIZE, all, CommandWriter.MAX_ARGUMENT_BYTES);
    }
    operation.launch();
    code = operation.bytes(value, (int) given);
    if (code != 0) {
      return refuseValue(What.UNREADABLE, code, given, 0);
    }
    arguments.tookBytes();
    return 0;
  }

  /** Ends the dispatch, if one is being written: all its arguments must be there. */
  int end() {
    if (!arguments.open()) {
      return 0;
    }
    int code = arguments.complete() ? 0 : refuseValue(What.TOO_FEW, -Errno.EINVAL, 0, 0);
    operation.end();
    arguments.end();
    return code;
  }

  private int refuseArgument(int code, int kind, int use) {
    EntryTable table = arguments.table();
    int entry = arguments.entry();
    int place = arguments.count();
    int[] kinds = table.kinds(entry);
    if (place == kinds.length) {
      return refuseValue(What.TOO_MANY, code, kind, 0);
    }
    if (kinds[place] != kind) {
      return refuseValue(What.KIND, code, kind, kinds[place]);
    }
    return code == -Errno.EACCES
        ? refuseValue(What.ACCESS, code, bindings.access(use), table.access(entry)[place])
        : refuseValue(What.NO_BUFFER, code, use, bindings.size());
  }

  /** Of the argument that would be next. */
  private int refuseValue(What what, int code, long given, long wanted) {
    return refuse(
        what, code, arguments.table(), arguments.entry(), arguments.count(), given, wanted);
  }

  private int refuse(
      What what, int code, EntryTable table, int entry, long one, long two, long three) {
    mistake.note(slot.error());
    return mistake.set(what, code, table, entry, one, two, three);
  }
}
