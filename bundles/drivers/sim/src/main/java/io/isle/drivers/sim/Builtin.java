package io.isle.drivers.sim;

import static io.isle.api.driver.ProgramEntry.Kind.BUFFER;
import static io.isle.api.driver.ProgramEntry.Kind.U32;
import static io.isle.api.driver.ProgramEntry.Kind.U64;

import io.isle.api.base.Errno;
import io.isle.api.driver.ArgumentKind;
import io.isle.api.driver.Kernel;
import io.isle.api.driver.ProgramEntry;
import io.isle.api.driver.ProgramEntry.Argument;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The built-in programs, with the arguments of the software accelerator's. */
enum Builtin implements Body {
  NOOP(),
  /** Destination, pattern. */
  FILL(new Argument(BUFFER, 2), new Argument(U32, 0)),
  /** Source, destination. */
  COPY(new Argument(BUFFER, 1), new Argument(BUFFER, 2)),
  /** Source, digests (32 bytes a block), bytes of a block. */
  SHA256(new Argument(BUFFER, 1), new Argument(BUFFER, 2), new Argument(U64, 0)),
  /** Source, 256 counts of 64 bits. */
  HISTOGRAM(new Argument(BUFFER, 1), new Argument(BUFFER, 2)),
  /** Microseconds. */
  BUSY(new Argument(U64, 0));

  private final ProgramEntry entry;

  Builtin(Argument... arguments) {
    entry = new ProgramEntry(name().toLowerCase(Locale.ROOT), 0, List.of(arguments));
  }

  ProgramEntry entry() {
    return entry;
  }

  /** As a kernel. */
  Kernel kernel() {
    return new Kernel(
        entry.name(),
        0,
        List.of(),
        Launch.MAX_GROUP,
        0,
        0,
        "",
        "",
        entry.arguments().stream().map(Builtin::argument).toList());
  }

  private static Kernel.Argument argument(Argument of) {
    ArgumentKind kind = ArgumentKind.valueOf(of.kind().name());
    return kind == ArgumentKind.BUFFER
        ? new Kernel.Argument("", "", Optional.of(kind), of.access(), 0, Optional.empty(), 0)
        : new Kernel.Argument(
            "",
            "",
            Optional.of(kind),
            0,
            kind == ArgumentKind.U64 ? Long.BYTES : Integer.BYTES,
            Optional.of(kind),
            1);
  }

  static Optional<Builtin> named(String name) {
    return Stream.of(values()).filter(builtin -> builtin.entry.name().equals(name)).findFirst();
  }

  @Override
  public int run(Run run, Call call) {
    MemorySegment[] buffers = call.buffers();
    return switch (this) {
      case NOOP -> 0;
      case FILL -> Kernels.fill(run, buffers[0], (int) call.values()[1]);
      case COPY ->
          buffers[0].byteSize() <= buffers[1].byteSize()
              ? Kernels.copy(run, buffers[0], buffers[1].asSlice(0, buffers[0].byteSize()))
              : -Errno.EINVAL;
      case SHA256 -> Kernels.sha256(run, buffers[0], buffers[1], call.values()[2]);
      case HISTOGRAM -> Kernels.histogram(run, buffers[0], buffers[1]);
      case BUSY -> Kernels.busy(run, call.values()[0]);
    };
  }
}
