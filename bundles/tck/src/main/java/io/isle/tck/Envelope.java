package io.isle.tck;

import static io.isle.lib.kabi.CommandEnvelope.U16;
import static io.isle.lib.kabi.CommandEnvelope.U32;
import static io.isle.lib.kabi.CommandEnvelope.U64;

import io.isle.lib.kabi.CommandEnvelope;
import io.isle.lib.kabi.CommandEnvelope.Binding;
import io.isle.lib.kabi.CommandEnvelope.Wait;
import io.isle.lib.kabi.CommandOp;
import io.isle.lib.kabi.CommandOp.Arg;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Puts a command envelope together, and spoils it where a case wants that. */
final class Envelope {
  static final int READ = Binding.READ;
  static final int WRITE = Binding.WRITE;

  private record Bound(long object, long offset, long length, int access) {}

  private record Awaited(long timeline, long value) {}

  private final Arena arena = Arena.ofAuto();
  private final List<Awaited> waits = new ArrayList<>();
  private final List<Bound> bindings = new ArrayList<>();
  private final List<MemorySegment> ops = new ArrayList<>();
  private final List<Consumer<MemorySegment>> changes = new ArrayList<>();

  /**
   * An argument of a dispatch or a launch.
   *
   * @param bytes of an argument in the tail; else none
   */
  record Argument(int kind, long value, byte[] bytes) {
    private static final byte[] NONE = {};

    static Argument buffer(int binding) {
      return new Argument(Arg.BUFFER, binding, NONE);
    }

    static Argument u32(int value) {
      return new Argument(Arg.U32, value, NONE);
    }

    static Argument u64(long value) {
      return new Argument(Arg.U64, value, NONE);
    }

    /** Local memory. */
    static Argument local(long bytes) {
      return new Argument(Arg.LOCAL, bytes, NONE);
    }

    static Argument bytes(byte... bytes) {
      return new Argument(Arg.BYTES_OF_TAIL, bytes.length, bytes);
    }
  }

  /** Waits for a value of a timeline; 0 for nothing. */
  Envelope after(long timeline, long value) {
    waits.add(new Awaited(timeline, value));
    return this;
  }

  Envelope memory(long id, long offset, long length, int access) {
    bindings.add(new Bound(id, offset, length, access));
    return this;
  }

  Envelope program(long id) {
    return memory(id, 0, 0, Binding.PROGRAM);
  }

  Envelope fill(int dst, long offset, long bytes, int pattern) {
    MemorySegment op = op(CommandOp.FILL, CommandOp.Fill.BYTES);
    op.set(U32, CommandOp.Fill.DST, dst);
    op.set(U32, CommandOp.Fill.PATTERN, pattern);
    op.set(U64, CommandOp.Fill.OFFSET, offset);
    op.set(U64, CommandOp.Fill.COUNT, bytes);
    return this;
  }

  Envelope copy(int dst, long dstOffset, int src, long srcOffset, long bytes) {
    MemorySegment op = op(CommandOp.COPY, CommandOp.Copy.BYTES);
    op.set(U32, CommandOp.Copy.DST, dst);
    op.set(U32, CommandOp.Copy.SRC, src);
    op.set(U64, CommandOp.Copy.DST_OFFSET, dstOffset);
    op.set(U64, CommandOp.Copy.SRC_OFFSET, srcOffset);
    op.set(U64, CommandOp.Copy.COUNT, bytes);
    return this;
  }

  Envelope dispatch(int program, Argument... arguments) {
    int length = CommandOp.Dispatch.BYTES + arguments.length * Arg.BYTES;
    MemorySegment op = op(CommandOp.DISPATCH, length);
    op.set(U32, CommandOp.Dispatch.PROGRAM, program);
    op.set(U32, CommandOp.Dispatch.X, 1);
    op.set(U32, CommandOp.Dispatch.Y, 1);
    op.set(U32, CommandOp.Dispatch.Z, 1);
    op.set(U32, CommandOp.Dispatch.ARG_COUNT, arguments.length);
    for (int i = 0; i < arguments.length; i++) {
      long at = CommandOp.Dispatch.ARGS + (long) i * Arg.BYTES;
      boolean buffer = arguments[i].kind() == Arg.BUFFER;
      op.set(U32, at + Arg.KIND, arguments[i].kind());
      op.set(U32, at + Arg.BINDING, buffer ? (int) arguments[i].value() : 0);
      op.set(U64, at + Arg.VALUE, buffer ? 0 : arguments[i].value());
    }
    return this;
  }

  /**
   * A launch of one to three dimensions without offset, whose driver chooses the work-group size.
   * Arguments by bytes lie in its tail, one behind the other.
   */
  Envelope launch(int program, int entry, long[] size, Argument... arguments) {
    int tail = Stream.of(arguments).mapToInt(argument -> argument.bytes().length).sum();
    int length = CommandOp.Launch.BYTES + arguments.length * Arg.BYTES + ((tail + 7) & -8);
    MemorySegment op = op(CommandOp.LAUNCH, length);
    op.set(U32, CommandOp.Launch.PROGRAM, program);
    op.set(U32, CommandOp.Launch.ENTRY, entry);
    op.set(U32, CommandOp.Launch.DIMENSIONS, size.length);
    op.set(U32, CommandOp.Launch.ARG_COUNT, arguments.length);
    op.set(U32, CommandOp.Launch.TAIL_BYTES, tail);
    for (int i = 0; i < 3; i++) {
      op.set(U64, CommandOp.Launch.SIZE + 8L * i, i < size.length ? size[i] : 1L);
    }
    long end = CommandOp.Launch.ARGS + (long) arguments.length * Arg.BYTES;
    long from = 0;
    for (int i = 0; i < arguments.length; i++) {
      Argument argument = arguments[i];
      long at = CommandOp.Launch.ARGS + (long) i * Arg.BYTES;
      boolean buffer = argument.kind() == Arg.BUFFER;
      long place = buffer ? argument.value() : argument.bytes().length > 0 ? from : 0;
      op.set(U32, at + Arg.KIND, argument.kind());
      op.set(U32, at + Arg.BINDING, (int) place);
      op.set(U64, at + Arg.VALUE, buffer ? 0 : argument.value());
      op.asSlice(end + from, argument.bytes().length)
          .copyFrom(MemorySegment.ofArray(argument.bytes()));
      from += argument.bytes().length;
    }
    return this;
  }

  /** An operation of any code and length. */
  MemorySegment op(short code, int length) {
    MemorySegment op = arena.allocate(length, 8);
    op.set(U16, CommandOp.CODE, code);
    op.set(U32, CommandOp.LENGTH, length);
    ops.add(op);
    return op;
  }

  /** Changes the finished envelope. */
  Envelope spoil(Consumer<MemorySegment> change) {
    changes.add(change);
    return this;
  }

  /** Sets a 32-bit word of the finished envelope. */
  Envelope word(long offset, int value) {
    return spoil(bytes -> bytes.set(U32, offset, value));
  }

  /** Sets a 32-bit word of the first operation of the finished envelope. */
  Envelope opWord(long offset, int value) {
    return word(firstOp() + offset, value);
  }

  /** Sets a 64-bit word of the first operation of the finished envelope. */
  Envelope opLong(long offset, long value) {
    return spoil(bytes -> bytes.set(U64, firstOp() + offset, value));
  }

  long firstOp() {
    return CommandEnvelope.ops(waits.size(), bindings.size());
  }

  MemorySegment build() {
    long length = firstOp() + ops.stream().mapToLong(MemorySegment::byteSize).sum();
    MemorySegment bytes = arena.allocate(length, 8);
    bytes.set(U32, CommandEnvelope.MAGIC, CommandEnvelope.MAGIC_VALUE);
    bytes.set(U16, CommandEnvelope.VERSION, CommandEnvelope.VERSION_VALUE);
    bytes.set(U16, CommandEnvelope.HEADER_SIZE, (short) CommandEnvelope.HEADER_BYTES);
    bytes.set(U32, CommandEnvelope.TOTAL_LENGTH, (int) length);
    bytes.set(U32, CommandEnvelope.WAIT_COUNT, waits.size());
    bytes.set(U32, CommandEnvelope.BINDING_COUNT, bindings.size());
    bytes.set(U32, CommandEnvelope.OP_COUNT, ops.size());
    for (int i = 0; i < waits.size(); i++) {
      long at = CommandEnvelope.HEADER_BYTES + (long) i * Wait.BYTES;
      bytes.set(U64, at + Wait.TIMELINE, waits.get(i).timeline());
      bytes.set(U64, at + Wait.POINT, waits.get(i).value());
    }
    for (int i = 0; i < bindings.size(); i++) {
      long at = CommandEnvelope.bindings(waits.size()) + (long) i * Binding.BYTES;
      bytes.set(U64, at + Binding.OBJECT, bindings.get(i).object());
      bytes.set(U64, at + Binding.OFFSET, bindings.get(i).offset());
      bytes.set(U64, at + Binding.LENGTH, bindings.get(i).length());
      bytes.set(U32, at + Binding.ACCESS, bindings.get(i).access());
    }
    long at = firstOp();
    for (MemorySegment op : ops) {
      bytes.asSlice(at, op.byteSize()).copyFrom(op);
      at += op.byteSize();
    }
    changes.forEach(change -> change.accept(bytes));
    return bytes;
  }
}
