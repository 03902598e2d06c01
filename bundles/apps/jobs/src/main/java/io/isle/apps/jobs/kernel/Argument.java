package io.isle.apps.jobs.kernel;

import io.isle.api.accel.ArgumentKind;
import io.isle.api.accel.CommandWriter;
import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.spec.Arg;
import io.isle.apps.jobs.spec.Buffers;
import io.isle.apps.jobs.spec.TypedValue;
import java.lang.foreign.MemorySegment;

/** An argument of a step, checked against the kernel's. Immutable. */
sealed interface Argument {
  /**
   * With the numbers that its formulas have now.
   *
   * @throws io.isle.api.jobs.JobException naming a number that does not do
   */
  Ready ready(Extents extents);

  /** Writes itself; neither fails nor allocates. */
  @FunctionalInterface
  interface Ready {
    /**
     * @param uses used range of each buffer of the step
     */
    void write(CommandWriter writer, int[] uses);
  }

  /**
   * A buffer.
   *
   * @param index among the step's
   * @param access of the kernel; 0 if nobody knows
   * @param element what the kernel takes its elements to be
   */
  record OfBuffer(int index, int access, PointedType element) implements Argument {
    @Override
    public Ready ready(Extents extents) {
      return (writer, uses) -> writer.arg(uses[index]);
    }
  }

  /**
   * A number.
   *
   * @param kind as drivers take it
   * @param type its range
   * @param name of the type in the source, for messages
   */
  record OfNumber(ArgumentKind kind, ElementType type, String name, Arg.Plain number)
      implements Argument {
    long bits(Extents extents) {
      return ValueBytes.bits(type, name, number, extents);
    }

    @Override
    public Ready ready(Extents extents) {
      long bits = bits(extents);
      return switch (kind) {
        case U32 -> (writer, uses) -> writer.argU32((int) bits);
        case I32 -> (writer, uses) -> writer.argI32((int) bits);
        case U64 -> (writer, uses) -> writer.argU64(bits);
        case I64 -> (writer, uses) -> writer.argI64(bits);
        case F32 -> {
          float value = Float.intBitsToFloat((int) bits);
          yield (writer, uses) -> writer.argF32(value);
        }
        case F64 -> {
          double value = Double.longBitsToDouble(bits);
          yield (writer, uses) -> writer.argF64(value);
        }
        case BYTES, BUFFER, LOCAL -> {
          MemorySegment bytes = memory(type.bytes());
          type.setWhole(bytes, 0, bits);
          yield (writer, uses) -> writer.argBytes(bytes);
        }
      };
    }
  }

  /** A value by its bytes. */
  record OfBytes(TypedValue value) implements Argument {
    @Override
    public Ready ready(Extents extents) {
      MemorySegment bytes = memory(value.bytes());
      ValueBytes.write(value, extents, bytes);
      return (writer, uses) -> writer.argBytes(bytes);
    }
  }

  /** Local memory. */
  record OfLocal(Buffers.Formula bytes) implements Argument {
    private static final long MAX = 1L << 40;

    @Override
    public Ready ready(Extents extents) {
      long size = extents.whole(bytes, 1, MAX);
      return (writer, uses) -> writer.argLocal(size);
    }
  }

  private static MemorySegment memory(int bytes) {
    // of the heap, aligned to any scalar
    long[] words = new long[Math.ceilDiv(bytes, Long.BYTES)];
    return MemorySegment.ofArray(words).asSlice(0, bytes);
  }
}
