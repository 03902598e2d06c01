package io.isle.core.accel.submit;

import io.isle.api.base.Errno;
import io.isle.lib.kabi.CommandOp;
import io.isle.lib.kabi.CommandOp.Launch;
import java.lang.foreign.MemorySegment;

/**
 * The bytes of the dispatch being written, the newest operation of its envelope. It is a launch
 * from where it says what a dispatch cannot say. One thread.
 */
final class DispatchSlot {
  private final EnvelopeSlot slot;
  private int program;
  private int entry;
  private int arguments;
  private int tail;
  private boolean launch;
  private int dimensions;
  private int x;
  private int y;
  private int z;
  private int localX;
  private int localY;
  private int localZ;
  private long offsetX;
  private long offsetY;
  private long offsetZ;

  DispatchSlot(EnvelopeSlot slot) {
    this.slot = slot;
  }

  /**
   * Begins the operation, a dispatch.
   *
   * @param binding index of the program
   * @return false after any mistake
   */
  boolean begin(int binding, int number, int sizeX, int sizeY, int sizeZ) {
    program = binding;
    entry = number;
    x = sizeX;
    y = sizeY;
    z = sizeZ;
    arguments = 0;
    launch = false;
    if (!slot.append(CommandOp.DISPATCH, CommandOp.Dispatch.BYTES)) {
      return false;
    }
    long at = slot.newest();
    slot.u32(at + CommandOp.Dispatch.PROGRAM, program);
    slot.u32(at + CommandOp.Dispatch.ENTRY, entry);
    slot.u32(at + CommandOp.Dispatch.X, x);
    slot.u32(at + CommandOp.Dispatch.Y, y);
    slot.u32(at + CommandOp.Dispatch.Z, z);
    slot.u32(at + CommandOp.Dispatch.ARG_COUNT, 0);
    return true;
  }

  /** Makes a launch of it, unless it is one. */
  void launch() {
    int longer = Launch.BYTES - CommandOp.Dispatch.BYTES;
    if (launch || !slot.insert(slot.newest() + CommandOp.Dispatch.BYTES, longer)) {
      return;
    }
    launch = true;
    tail = 0;
    dimensions = dimensions(y, z);
    localX = 0;
    localY = 0;
    localZ = 0;
    offsetX = 0;
    offsetY = 0;
    offsetZ = 0;
    long at = slot.newest();
    slot.u16(at + CommandOp.CODE, CommandOp.LAUNCH);
    slot.u32(at + Launch.PROGRAM, program);
    slot.u32(at + Launch.ENTRY, entry);
    slot.u64(at + Launch.TAIL_BYTES, 0);
    slot.u64(at + Launch.SIZE, x);
    slot.u64(at + Launch.SIZE + 8, y);
    slot.u64(at + Launch.SIZE + 16, z);
    slot.u32(at + Launch.LOCAL + 12, 0);
    writeRange();
    writeCounts();
  }

  /** Of a launch. */
  void local(int sizeX, int sizeY, int sizeZ) {
    localX = sizeX;
    localY = sizeY;
    localZ = sizeZ;
    dimensions = Math.max(dimensions, dimensions(sizeY, sizeZ));
    writeRange();
  }

  /** Of a launch. */
  void offset(long firstX, long firstY, long firstZ) {
    offsetX = firstX;
    offsetY = firstY;
    offsetZ = firstZ;
    dimensions = Math.max(dimensions, firstZ > 0 ? 3 : firstY > 0 ? 2 : 1);
    writeRange();
  }

  private static int dimensions(int sizeY, int sizeZ) {
    return sizeZ > 1 ? 3 : sizeY > 1 ? 2 : 1;
  }

  private void writeRange() {
    if (slot.error() != 0) {
      return;
    }
    long at = slot.newest();
    slot.u32(at + Launch.DIMENSIONS, dimensions);
    slot.u64(at + Launch.OFFSET, offsetX);
    slot.u64(at + Launch.OFFSET + 8, offsetY);
    slot.u64(at + Launch.OFFSET + 16, offsetZ);
    slot.u32(at + Launch.LOCAL, localX);
    slot.u32(at + Launch.LOCAL + 4, dimensions > 1 ? localY : 0);
    slot.u32(at + Launch.LOCAL + 8, dimensions > 2 ? localZ : 0);
  }

  /** The next argument, before the tail. */
  void argument(int kind, int binding, long value) {
    int header = launch ? Launch.BYTES : CommandOp.Dispatch.BYTES;
    long at = slot.newest() + header + (long) arguments * CommandOp.Arg.BYTES;
    if (slot.insert(at, CommandOp.Arg.BYTES)) {
      slot.u32(at + CommandOp.Arg.KIND, kind);
      slot.u32(at + CommandOp.Arg.BINDING, binding);
      slot.u64(at + CommandOp.Arg.VALUE, value);
      arguments++;
      writeCounts();
    }
  }

  /**
   * The next argument of a launch, by bytes in its tail.
   *
   * @return 0, or EINVAL negated for bytes that cannot be read
   */
  int bytes(MemorySegment value, int length) {
    int begin = tail;
    argument(CommandOp.Arg.BYTES_OF_TAIL, begin, length);
    int longer = padded(begin + length) - padded(begin);
    if (!slot.insert(slot.end(), longer)) {
      return 0;
    }
    if (longer > 0) {
      slot.u64(slot.end() - Long.BYTES, 0);
    }
    tail += length;
    writeCounts();
    long at = slot.newest() + Launch.BYTES + (long) arguments * CommandOp.Arg.BYTES + begin;
    try {
      slot.copy(value, 0, at, length);
      return 0;
    } catch (IllegalStateException | WrongThreadException e) {
      return -Errno.EINVAL;
    }
  }

  /** Bytes of the tail so far. */
  int tail() {
    return launch ? tail : 0;
  }

  private void writeCounts() {
    long at = slot.newest();
    slot.u32(at + CommandOp.LENGTH, (int) (slot.end() - at));
    slot.u32(at + (launch ? Launch.ARG_COUNT : CommandOp.Dispatch.ARG_COUNT), arguments);
    if (launch) {
      slot.u32(at + Launch.TAIL_BYTES, tail);
    }
  }

  private static int padded(int bytes) {
    return (bytes + 7) & -8;
  }
}
