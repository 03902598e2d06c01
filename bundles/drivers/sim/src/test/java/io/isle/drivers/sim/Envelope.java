package io.isle.drivers.sim;

import io.isle.lib.kabi.CommandEnvelope;
import io.isle.lib.kabi.CommandEnvelope.Binding;
import io.isle.lib.kabi.CommandOp;
import io.isle.lib.kabi.CommandOp.Arg;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Writes envelopes of bindings and one operation. */
final class Envelope {
  private record Bound(long object, long offset, long length, int access) {}

  private final List<Bound> bindings = new ArrayList<>();

  Envelope memory(long id, long offset, long length, int access) {
    bindings.add(new Bound(id, offset, length, access));
    return this;
  }

  Envelope program(long id) {
    bindings.add(new Bound(id, 0, 0, Binding.PROGRAM));
    return this;
  }

  /** A dispatch of the last binding; args come as kind, value, kind, value. */
  MemorySegment dispatch(Arena arena, long... args) {
    int length = CommandOp.Dispatch.BYTES + args.length / 2 * Arg.BYTES;
    MemorySegment envelope = start(arena, length, 1);
    long at = op(envelope, CommandOp.DISPATCH, length);
    envelope.set(CommandEnvelope.U32, at + CommandOp.Dispatch.PROGRAM, bindings.size() - 1);
    envelope.set(CommandEnvelope.U32, at + CommandOp.Dispatch.X, 1);
    envelope.set(CommandEnvelope.U32, at + CommandOp.Dispatch.Y, 1);
    envelope.set(CommandEnvelope.U32, at + CommandOp.Dispatch.Z, 1);
    envelope.set(CommandEnvelope.U32, at + CommandOp.Dispatch.ARG_COUNT, args.length / 2);
    for (int i = 0; i < args.length; i += 2) {
      long arg = at + CommandOp.Dispatch.ARGS + i / 2 * Arg.BYTES;
      boolean buffer = args[i] == Arg.BUFFER;
      envelope.set(CommandEnvelope.U32, arg + Arg.KIND, (int) args[i]);
      envelope.set(CommandEnvelope.U32, arg + Arg.BINDING, buffer ? (int) args[i + 1] : 0);
      envelope.set(CommandEnvelope.U64, arg + Arg.VALUE, buffer ? 0 : args[i + 1]);
    }
    return envelope;
  }

  /**
   * A launch of the first kernel of the last binding over a line, with eight bytes of tail; args
   * come as kind, binding, value.
   */
  MemorySegment launch(Arena arena, long size, long... args) {
    int count = args.length / 3;
    int length = CommandOp.Launch.BYTES + count * Arg.BYTES + 8;
    MemorySegment envelope = start(arena, length, 1);
    long at = op(envelope, CommandOp.LAUNCH, length);
    envelope.set(CommandEnvelope.U32, at + CommandOp.Launch.PROGRAM, bindings.size() - 1);
    envelope.set(CommandEnvelope.U32, at + CommandOp.Launch.DIMENSIONS, 1);
    envelope.set(CommandEnvelope.U32, at + CommandOp.Launch.ARG_COUNT, count);
    envelope.set(CommandEnvelope.U32, at + CommandOp.Launch.TAIL_BYTES, 8);
    envelope.set(CommandEnvelope.U64, at + CommandOp.Launch.SIZE, size);
    envelope.set(CommandEnvelope.U64, at + CommandOp.Launch.SIZE + 8, 1L);
    envelope.set(CommandEnvelope.U64, at + CommandOp.Launch.SIZE + 16, 1L);
    for (int i = 0; i < count; i++) {
      long arg = at + CommandOp.Launch.ARGS + (long) i * Arg.BYTES;
      envelope.set(CommandEnvelope.U32, arg + Arg.KIND, (int) args[3 * i]);
      envelope.set(CommandEnvelope.U32, arg + Arg.BINDING, (int) args[3 * i + 1]);
      envelope.set(CommandEnvelope.U64, arg + Arg.VALUE, args[3 * i + 2]);
    }
    return envelope;
  }

  MemorySegment fill(Arena arena, int dst, long offset, long bytes, int pattern) {
    MemorySegment envelope = start(arena, CommandOp.Fill.BYTES, 1);
    long at = op(envelope, CommandOp.FILL, CommandOp.Fill.BYTES);
    envelope.set(CommandEnvelope.U32, at + CommandOp.Fill.DST, dst);
    envelope.set(CommandEnvelope.U32, at + CommandOp.Fill.PATTERN, pattern);
    envelope.set(CommandEnvelope.U64, at + CommandOp.Fill.OFFSET, offset);
    envelope.set(CommandEnvelope.U64, at + CommandOp.Fill.COUNT, bytes);
    return envelope;
  }

  private MemorySegment start(Arena arena, int opBytes, int ops) {
    long length = CommandEnvelope.ops(0, bindings.size()) + opBytes;
    MemorySegment envelope = arena.allocate(length, 8);
    envelope.set(CommandEnvelope.U32, CommandEnvelope.MAGIC, CommandEnvelope.MAGIC_VALUE);
    envelope.set(CommandEnvelope.U16, CommandEnvelope.VERSION, CommandEnvelope.VERSION_VALUE);
    envelope.set(
        CommandEnvelope.U16, CommandEnvelope.HEADER_SIZE, (short) CommandEnvelope.HEADER_BYTES);
    envelope.set(CommandEnvelope.U32, CommandEnvelope.TOTAL_LENGTH, (int) length);
    envelope.set(CommandEnvelope.U32, CommandEnvelope.BINDING_COUNT, bindings.size());
    envelope.set(CommandEnvelope.U32, CommandEnvelope.OP_COUNT, ops);
    for (int i = 0; i < bindings.size(); i++) {
      long at = CommandEnvelope.bindings(0) + (long) i * Binding.BYTES;
      Bound bound = bindings.get(i);
      envelope.set(CommandEnvelope.U64, at + Binding.OBJECT, bound.object());
      envelope.set(CommandEnvelope.U64, at + Binding.OFFSET, bound.offset());
      envelope.set(CommandEnvelope.U64, at + Binding.LENGTH, bound.length());
      envelope.set(CommandEnvelope.U32, at + Binding.ACCESS, bound.access());
    }
    return envelope;
  }

  private long op(MemorySegment envelope, short code, int length) {
    long at = CommandEnvelope.ops(0, bindings.size());
    envelope.set(CommandEnvelope.U16, at + CommandOp.CODE, code);
    envelope.set(CommandEnvelope.U32, at + CommandOp.LENGTH, length);
    return at;
  }
}
