package io.isle.lib.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.isle.api.base.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.function.Consumer;

/** The system call bpf, raw: it has no function in the C library. */
final class BpfLib {
  /** Of union bpf_attr as far as the commands of {@link Bpf} use it; the kernel takes any size. */
  static final int ATTR_BYTES = 80;

  private static final int ENOSYS = 38;

  private static final long NUMBER =
      switch (System.getProperty("os.arch")) {
        case "amd64" -> 321;
        case "aarch64", "riscv64" -> 280;
        default -> -1;
      };

  /**
   * syscall(number, command, attributes, size), then two segments that the attributes refer to: for
   * the call, they are kept.
   */
  private static final MethodHandle CALL =
      LibC.variadic(
          "syscall",
          1,
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, ADDRESS));

  private BpfLib() {}

  /** Writes the attributes, which are zero at first. */
  @FunctionalInterface
  interface Attributes {
    void write(MemorySegment attr, Arena arena);
  }

  /** The result, or a negated errno. */
  static int call(int command, MemorySegment one, MemorySegment two, Attributes attributes) {
    return call(command, one, two, attributes, attr -> {});
  }

  /**
   * As above.
   *
   * @param outcome reads the attributes after a success
   */
  static int call(
      int command,
      MemorySegment one,
      MemorySegment two,
      Attributes attributes,
      Consumer<MemorySegment> outcome) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment attr = arena.allocate(ATTR_BYTES, Long.BYTES);
      attributes.write(attr, arena);
      int result = call(arena, command, attr, one, two);
      if (result >= 0) {
        outcome.accept(attr);
      }
      return result;
    }
  }

  private static int call(
      Arena arena, int command, MemorySegment attr, MemorySegment one, MemorySegment two) {
    if (NUMBER < 0) {
      return -ENOSYS;
    }
    MemorySegment state = LibC.callState(arena);
    try {
      long result;
      do {
        result = (long) CALL.invokeExact(state, NUMBER, command, attr, ATTR_BYTES, one, two);
      } while (result < 0 && LibC.errno(state) == Errno.EINTR);
      return result < 0 ? -LibC.errno(state) : (int) result;
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }
}
