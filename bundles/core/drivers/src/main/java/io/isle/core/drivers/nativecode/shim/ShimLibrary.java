package io.isle.core.drivers.nativecode.shim;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The driver runtime as a library of this process: functions {@code isle_rt_*}, raw. */
final class ShimLibrary {
  private static final Map<Path, ShimLibrary> LOADED = new ConcurrentHashMap<>();
  private static final Linker LINKER = Linker.nativeLinker();
  private static final MethodHandle LOAD =
      handle(FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_INT, ADDRESS));
  private static final MethodHandle ADD_SEGMENT =
      handle(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
  private static final MethodHandle CONTROL =
      handle(FunctionDescriptor.of(JAVA_LONG, ADDRESS, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle SUBMIT =
      handle(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT));
  private static final MethodHandle PREEMPT =
      handle(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
  private static final MethodHandle POLL =
      handle(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle UNLOAD = handle(FunctionDescriptor.of(JAVA_INT, ADDRESS));

  private final MemorySegment load;
  private final MemorySegment addSegment;
  private final MemorySegment control;
  private final MemorySegment submit;
  private final MemorySegment preempt;
  private final MemorySegment poll;
  private final MemorySegment unload;

  /**
   * The library at a path, which is loaded once and stays.
   *
   * @throws IllegalArgumentException when it cannot be loaded
   */
  static ShimLibrary at(Path path) {
    return LOADED.computeIfAbsent(path, ShimLibrary::new);
  }

  @SuppressWarnings("restricted")
  private ShimLibrary(Path path) {
    SymbolLookup lookup = SymbolLookup.libraryLookup(path, Arena.global());
    load = lookup.findOrThrow("isle_rt_load");
    addSegment = lookup.findOrThrow("isle_rt_add_segment");
    control = lookup.findOrThrow("isle_rt_control");
    submit = lookup.findOrThrow("isle_rt_submit");
    preempt = lookup.findOrThrow("isle_rt_preempt");
    poll = lookup.findOrThrow("isle_rt_poll");
    unload = lookup.findOrThrow("isle_rt_unload");
  }

  @SuppressWarnings("restricted")
  private static MethodHandle handle(FunctionDescriptor type) {
    return LINKER.downcallHandle(type);
  }

  int load(MemorySegment path, MemorySegment channel, MemorySegment why, MemorySegment out) {
    try {
      return (int) LOAD.invokeExact(load, path, channel, why, (int) why.byteSize(), out);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  int addSegment(MemorySegment rt, int segment, MemorySegment memory, boolean writable) {
    try {
      return (int)
          ADD_SEGMENT.invokeExact(
              addSegment, rt, segment, memory, memory.byteSize(), writable ? 1 : 0);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  long control(MemorySegment rt, MemorySegment request, MemorySegment response) {
    try {
      return (long)
          CONTROL.invokeExact(
              control, rt, request, (int) request.byteSize(), response, (int) response.byteSize());
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  int submit(MemorySegment rt, long tag, long context, long offset, int length) {
    try {
      return (int) SUBMIT.invokeExact(submit, rt, tag, context, offset, length);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  int preempt(MemorySegment rt, long context, int reason) {
    try {
      return (int) PREEMPT.invokeExact(preempt, rt, context, reason);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  int poll(MemorySegment rt, int limit) {
    try {
      return (int) POLL.invokeExact(poll, rt, limit);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  int unload(MemorySegment rt) {
    try {
      return (int) UNLOAD.invokeExact(unload, rt);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private static AssertionError unexpected(Throwable e) {
    return new AssertionError("the call of a C function failed inside the JVM", e);
  }
}
