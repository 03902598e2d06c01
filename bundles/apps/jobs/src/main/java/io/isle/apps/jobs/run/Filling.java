package io.isle.apps.jobs.run;

import io.isle.api.accel.CommandWriter;
import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.spec.Buffers;
import io.isle.apps.jobs.spec.Initial;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * The number that each element of an output holds before a kernel runs. A number that repeats every
 * 32 bits is filled in by the device, in the submission of the kernel; another one is written by
 * the CPU. Immutable.
 */
record Filling(ElementType type, long bits) {
  /**
   * Zeros, unless the job file says another number; empty for a file.
   *
   * @param zeros whether it is zeros where the job file says nothing: for a kernel
   */
  static Optional<Filling> of(boolean zeros, Buffers.Output output, ElementType type) {
    Initial initial = output.initial().orElse(null);
    if (initial instanceof Initial.Value value) {
      return Optional.of(new Filling(type, value.bits()));
    }
    return initial == null && zeros ? Optional.of(new Filling(type, 0)) : Optional.empty();
  }

  /** Whether new memory has it already. */
  boolean isZeros() {
    return bits == 0;
  }

  /** Whether the device can fill it in. */
  boolean repeats() {
    return type.bytes() < Long.BYTES || (int) bits == (int) (bits >>> Integer.SIZE);
  }

  /** Has the device fill a binding before what follows. */
  void fill(CommandWriter writer, int use, long bytes) {
    CommandWriter ignored = writer.fill(use, 0, bytes, pattern());
  }

  private int pattern() {
    return switch (type.bytes()) {
      case 1 -> (int) (bits & 0xff) * 0x0101_0101;
      case 2 -> (int) (bits & 0xffff) * 0x0001_0001;
      default -> (int) bits;
    };
  }

  /** Writes it to all of {@code memory}, a multiple of the type's size. */
  void write(MemorySegment memory) {
    long filled = type.bytes();
    type.setWhole(memory, 0, bits);
    while (filled < memory.byteSize()) {
      long more = Math.min(filled, memory.byteSize() - filled);
      MemorySegment.copy(memory, 0, memory, filled, more);
      filled += more;
    }
  }
}
