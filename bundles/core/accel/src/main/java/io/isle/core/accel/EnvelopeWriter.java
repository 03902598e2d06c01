package io.isle.core.accel;

import static io.isle.lib.kabi.CommandEnvelope.U16;
import static io.isle.lib.kabi.CommandEnvelope.U32;
import static io.isle.lib.kabi.CommandEnvelope.U64;

import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Program;
import io.isle.api.accel.Timeline;
import io.isle.api.base.Errno;
import io.isle.lib.kabi.CommandEnvelope;
import io.isle.lib.kabi.CommandOp;
import java.lang.foreign.MemorySegment;

/**
 * Writes one envelope at a time into a slot of the command segment. The parts follow each other
 * without gaps: what is named late is inserted, and what stands behind it moves.
 */
final class EnvelopeWriter implements CommandWriter {
  static final int MAX_BINDINGS = 16;

  private final ExecutionContext context;
  private final MemorySegment commands;
  private final int slotBytes;
  private final Bindings bindings = new Bindings(MAX_BINDINGS);
  private final DispatchArguments arguments = new DispatchArguments();
  private ContextQueue queue;
  private long base;
  private long point;
  private int waits;
  private int ops;
  private int end;
  private int dispatchAt;
  private int error;

  EnvelopeWriter(ExecutionContext context, MemorySegment commands, int slotBytes) {
    this.context = context;
    this.commands = commands;
    this.slotBytes = slotBytes;
  }

  /** Starts the envelope of {@code nextPoint} in its slot. */
  void begin(ContextQueue contextQueue, long nextPoint) {
    queue = contextQueue;
    point = nextPoint;
    base = contextQueue.offset(nextPoint);
    bindings.clear();
    arguments.end();
    waits = 0;
    ops = 0;
    end = CommandEnvelope.HEADER_BYTES;
    error = 0;
  }

  long point() {
    return point;
  }

  /**
   * Completes the header and marks what the submission uses.
   *
   * @return the envelope's length, or the first mistake as a negated code
   */
  int finish() {
    endDispatch();
    if (error == 0 && !bindings.markUsed(point)) {
      error = -Errno.EINVAL;
    }
    if (error != 0) {
      return error;
    }
    commands.set(U32, base + CommandEnvelope.MAGIC, CommandEnvelope.MAGIC_VALUE);
    commands.set(U16, base + CommandEnvelope.VERSION, CommandEnvelope.VERSION_VALUE);
    commands.set(U16, base + CommandEnvelope.HEADER_SIZE, (short) CommandEnvelope.HEADER_BYTES);
    commands.set(U32, base + CommandEnvelope.TOTAL_LENGTH, end);
    commands.set(U32, base + CommandEnvelope.WAIT_COUNT, waits);
    commands.set(U32, base + CommandEnvelope.BINDING_COUNT, bindings.size());
    commands.set(U32, base + CommandEnvelope.OP_COUNT, ops);
    for (long at = CommandEnvelope.TAG; at < CommandEnvelope.HEADER_BYTES; at += 8) {
      commands.set(U64, base + at, 0L);
    }
    queue.describe(point, end, waits);
    return end;
  }

  @Override
  public CommandWriter after(Timeline timeline, long awaited) {
    if (!(timeline instanceof PointTimeline source)
        || awaited < 0
        || awaited > source.submitted()
        || waits == ContextQueue.MAX_WAITS) {
      return mistake(-Errno.EINVAL);
    }
    int at = (int) CommandEnvelope.bindings(waits);
    if (insert(at, CommandEnvelope.Wait.BYTES)) {
      context.watch(source);
      commands.set(U64, base + at + CommandEnvelope.Wait.TIMELINE, source.id());
      commands.set(U64, base + at + CommandEnvelope.Wait.POINT, awaited);
      queue.setWait(point, waits++, source, awaited);
    }
    return this;
  }

  @Override
  public int use(Buffer buffer, long offset, long length, int access) {
    int code = checkUse(buffer, offset, length, access);
    if (code != 0) {
      mistake(code);
      return code;
    }
    return bind((DeviceBuffer) buffer, offset, length, access);
  }

  @Override
  public CommandWriter copy(int dst, long dstOffset, int src, long srcOffset, long bytes) {
    int code = bindings.check(dst, dstOffset, bytes, Buffer.WRITE);
    if (code == 0) {
      code = bindings.check(src, srcOffset, bytes, Buffer.READ);
    }
    int at = code != 0 ? -1 : append(CommandOp.COPY, CommandOp.Copy.BYTES);
    if (at < 0) {
      return mistake(code);
    }
    commands.set(U32, base + at + CommandOp.Copy.DST, dst);
    commands.set(U32, base + at + CommandOp.Copy.SRC, src);
    commands.set(U64, base + at + CommandOp.Copy.DST_OFFSET, dstOffset);
    commands.set(U64, base + at + CommandOp.Copy.SRC_OFFSET, srcOffset);
    commands.set(U64, base + at + CommandOp.Copy.COUNT, bytes);
    return this;
  }

  @Override
  public CommandWriter fill(int dst, long offset, long bytes, int pattern) {
    int code = bindings.check(dst, offset, bytes, Buffer.WRITE);
    int at = code != 0 ? -1 : append(CommandOp.FILL, CommandOp.Fill.BYTES);
    if (at < 0) {
      return mistake(code);
    }
    commands.set(U32, base + at + CommandOp.Fill.DST, dst);
    commands.set(U32, base + at + CommandOp.Fill.PATTERN, pattern);
    commands.set(U64, base + at + CommandOp.Fill.OFFSET, offset);
    commands.set(U64, base + at + CommandOp.Fill.COUNT, bytes);
    return this;
  }

  @Override
  public CommandWriter dispatch(Program program, int entry, int x, int y, int z) {
    endDispatch();
    if (!(program instanceof LoadedProgram loaded)
        || loaded.context != context
        || loaded.kinds(entry) == null
        || x < 1
        || y < 1
        || z < 1) {
      return mistake(-Errno.EINVAL);
    }
    int binding = bindings.indexOf(loaded);
    if (binding < 0) {
      binding = bind(loaded, 0, 0, CommandEnvelope.Binding.PROGRAM);
    }
    int at = binding < 0 ? -1 : append(CommandOp.DISPATCH, CommandOp.Dispatch.BYTES);
    if (at < 0) {
      return this;
    }
    commands.set(U32, base + at + CommandOp.Dispatch.PROGRAM, binding);
    commands.set(U32, base + at + CommandOp.Dispatch.ENTRY, entry);
    commands.set(U32, base + at + CommandOp.Dispatch.X, x);
    commands.set(U32, base + at + CommandOp.Dispatch.Y, y);
    commands.set(U32, base + at + CommandOp.Dispatch.Z, z);
    commands.set(U32, base + at + CommandOp.Dispatch.ARG_COUNT, 0);
    dispatchAt = at;
    arguments.begin(loaded, entry);
    return this;
  }

  @Override
  public CommandWriter arg(int use) {
    return argument(CommandOp.Arg.BUFFER, use, 0);
  }

  @Override
  public CommandWriter argU32(int value) {
    return argument(CommandOp.Arg.U32, 0, value & 0xffffffffL);
  }

  @Override
  public CommandWriter argI32(int value) {
    return argument(CommandOp.Arg.I32, 0, value & 0xffffffffL);
  }

  @Override
  public CommandWriter argU64(long value) {
    return argument(CommandOp.Arg.U64, 0, value);
  }

  @Override
  public CommandWriter argI64(long value) {
    return argument(CommandOp.Arg.I64, 0, value);
  }

  @Override
  public CommandWriter argF32(float value) {
    return argument(CommandOp.Arg.F32, 0, Float.floatToRawIntBits(value) & 0xffffffffL);
  }

  @Override
  public CommandWriter argF64(double value) {
    return argument(CommandOp.Arg.F64, 0, Double.doubleToRawLongBits(value));
  }

  @Override
  public CommandWriter vendor(MemorySegment operation) {
    long length = operation.byteSize();
    if (length < 8 || (length & 7) != 0) {
      return mistake(-Errno.EINVAL);
    }
    if (length > slotBytes) {
      return mistake(-Errno.EMSGSIZE);
    }
    int at = append(CommandOp.VENDOR, CommandOp.BYTES + (int) length);
    if (at >= 0) {
      MemorySegment.copy(operation, 0, commands, base + at + CommandOp.BYTES, length);
    }
    return this;
  }

  private int checkUse(Buffer buffer, long offset, long length, int access) {
    if (!(buffer instanceof DeviceBuffer own) || own.context != context || !own.open()) {
      return -Errno.EINVAL;
    }
    if (offset < 0 || length < 1 || length > own.size() - offset) {
      return -Errno.ERANGE;
    }
    if (access == 0 || (access & ~(Buffer.READ | Buffer.WRITE)) != 0) {
      return -Errno.EINVAL;
    }
    return (access & ~own.access) != 0 ? -Errno.EACCES : 0;
  }

  private int bind(Resource resource, long offset, long length, int access) {
    if (bindings.size() == MAX_BINDINGS) {
      mistake(-Errno.EINVAL);
      return -Errno.EINVAL;
    }
    int at = (int) CommandEnvelope.ops(waits, bindings.size());
    if (!insert(at, CommandEnvelope.Binding.BYTES)) {
      return -Errno.EMSGSIZE;
    }
    commands.set(U64, base + at + CommandEnvelope.Binding.OBJECT, resource.id());
    commands.set(U64, base + at + CommandEnvelope.Binding.OFFSET, offset);
    commands.set(U64, base + at + CommandEnvelope.Binding.LENGTH, length);
    commands.set(U64, base + at + CommandEnvelope.Binding.ACCESS, access);
    return bindings.add(resource, length, access);
  }

  private CommandWriter argument(int kind, int use, long value) {
    if (!arguments.open()) {
      return mistake(-Errno.EINVAL);
    }
    int code = arguments.next(kind, use, bindings);
    if (code != 0) {
      return mistake(code);
    }
    int at = end;
    if (insert(at, CommandOp.Arg.BYTES)) {
      commands.set(U32, base + at + CommandOp.Arg.KIND, kind);
      commands.set(U32, base + at + CommandOp.Arg.BINDING, use);
      commands.set(U64, base + at + CommandOp.Arg.VALUE, value);
    }
    return this;
  }

  private void endDispatch() {
    if (arguments.open()) {
      if (!arguments.complete()) {
        mistake(-Errno.EINVAL);
      } else if (error == 0) {
        int count = arguments.count();
        commands.set(U32, base + dispatchAt + CommandOp.Dispatch.ARG_COUNT, count);
        commands.set(
            U32,
            base + dispatchAt + CommandOp.LENGTH,
            CommandOp.Dispatch.BYTES + count * CommandOp.Arg.BYTES);
      }
      arguments.end();
    }
  }

  private int append(short code, int length) {
    endDispatch();
    int at = end;
    if (!insert(at, length)) {
      return -1;
    }
    commands.set(U16, base + at + CommandOp.CODE, code);
    commands.set(U16, base + at + CommandOp.FLAGS, (short) 0);
    commands.set(U32, base + at + CommandOp.LENGTH, length);
    ops++;
    return at;
  }

  /** Makes room at an offset of the envelope; false after any mistake. */
  private boolean insert(int at, int length) {
    if (error != 0) {
      return false;
    }
    if (length > slotBytes - end) {
      error = -Errno.EMSGSIZE;
      return false;
    }
    if (at < end) {
      MemorySegment.copy(commands, base + at, commands, base + at + length, end - at);
      if (arguments.open()) {
        dispatchAt += length;
      }
    }
    end += length;
    return true;
  }

  private CommandWriter mistake(int code) {
    if (error == 0) {
      error = code;
    }
    return this;
  }
}
