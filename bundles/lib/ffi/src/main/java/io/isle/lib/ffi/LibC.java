package io.isle.lib.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Bindings of libc, raw; the public classes of this package check and explain. */
final class LibC {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final MemoryLayout CALL_STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      CALL_STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private LibC() {}

  /** A libc function that reports failure by errno. */
  @SuppressWarnings("restricted")
  static MethodHandle checked(String name, FunctionDescriptor type) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow(name), type, Linker.Option.captureCallState("errno"));
  }

  /** As {@link #checked}, for a variadic function whose varargs start at {@code first}. */
  @SuppressWarnings("restricted")
  static MethodHandle variadic(String name, int first, FunctionDescriptor type) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow(name),
        type,
        Linker.Option.captureCallState("errno"),
        Linker.Option.firstVariadicArg(first));
  }

  /** As {@link #checked}, without errno, so that calling it allocates nothing. */
  @SuppressWarnings("restricted")
  static MethodHandle plain(String name, FunctionDescriptor type) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), type);
  }

  /** As {@link #variadic}, without errno, so that calling it allocates nothing. */
  @SuppressWarnings("restricted")
  static MethodHandle plainVariadic(String name, int first, FunctionDescriptor type) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow(name), type, Linker.Option.firstVariadicArg(first));
  }

  /** The variadic {@code syscall}, without errno, so that calling it allocates nothing. */
  static MethodHandle syscall(FunctionDescriptor type) {
    return plainVariadic("syscall", 1, type);
  }

  /**
   * A system call by its number, without errno. The C library's own function of the same name asks
   * before and behind each call whether the thread is cancelled, by atomic operations.
   */
  static MethodHandle direct(long number, FunctionDescriptor type) {
    return MethodHandles.insertArguments(
        syscall(type.insertArgumentLayouts(0, JAVA_LONG)), 0, number);
  }

  static MemorySegment callState(Arena arena) {
    return arena.allocate(CALL_STATE);
  }

  /** The exception for the errno in {@code state}. */
  static PosixException failure(String call, MemorySegment state) {
    int errno = (int) ERRNO.get(state, 0L);
    return new PosixException(call, errno, text(errno));
  }

  static int errno(MemorySegment state) {
    return (int) ERRNO.get(state, 0L);
  }

  @SuppressWarnings("restricted")
  static String text(int errno) {
    try {
      MemorySegment text = (MemorySegment) STRERROR.invokeExact(errno);
      return text.reinterpret(256).getString(0);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Takes whole pages out of the address space; nothing for 0 bytes. */
  static void unmap(long address, long bytes) {
    if (bytes == 0) {
      return;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = callState(arena);
      int result = (int) MUNMAP.invokeExact(state, address, bytes);
      if (result != 0) {
        throw failure("munmap", state);
      }
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** What invoking a correctly typed handle can throw only by a defect. */
  static AssertionError unexpected(Throwable e) {
    return new AssertionError("the call of a C function failed inside the JVM", e);
  }

  @SuppressWarnings("restricted")
  private static final MethodHandle STRERROR =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("strerror"), FunctionDescriptor.of(ADDRESS, JAVA_INT));

  static final MethodHandle MEMFD_CREATE =
      checked("memfd_create", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
  static final MethodHandle FTRUNCATE =
      checked("ftruncate", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));
  static final MethodHandle LSEEK =
      checked("lseek", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT));
  static final MethodHandle GETEUID = checked("geteuid", FunctionDescriptor.of(JAVA_INT));
  static final MethodHandle FCNTL =
      variadic("fcntl", 2, FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
  static final MethodHandle MMAP =
      checked(
          "mmap",
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
  static final MethodHandle MUNMAP =
      checked("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
  static final MethodHandle FCHMOD =
      checked("fchmod", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));

  /** Without the mode, which only new files need. */
  static final MethodHandle OPEN =
      variadic("open", 2, FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));

  static final MethodHandle SETNS =
      checked("setns", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
  static final MethodHandle UNSHARE = checked("unshare", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  static final MethodHandle CLOSE = checked("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  static final MethodHandle DUP3 =
      checked("dup3", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
  static final MethodHandle SOCKET =
      checked("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
  static final MethodHandle BIND =
      checked("bind", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
  static final MethodHandle LISTEN =
      checked("listen", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
  static final MethodHandle CONNECT =
      checked("connect", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
  private static final FunctionDescriptor ACCEPT =
      FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT);

  static final MethodHandle ACCEPT4 = checked("accept4", ACCEPT);

  /** The same, without errno. */
  static final MethodHandle ACCEPT4_PLAIN = plain("accept4", ACCEPT);

  static final MethodHandle GETSOCKOPT =
      checked(
          "getsockopt",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
  static final MethodHandle SENDMSG =
      checked("sendmsg", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT));
  static final MethodHandle RECVMSG =
      checked("recvmsg", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT));
  static final MethodHandle SHUTDOWN =
      checked("shutdown", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
  static final MethodHandle POLL =
      checked("poll", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));

  /** syscall(number, pid, attributes, size, flags); the C library has no functions for these. */
  static final MethodHandle SCHED_GETATTR =
      variadic(
          "syscall",
          1,
          FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));

  /** syscall(number, pid, attributes, flags). */
  static final MethodHandle SCHED_SETATTR =
      variadic(
          "syscall", 1, FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT));

  /** syscall(number, pid, flags) of pidfd_open, which older C libraries have no function for. */
  static final MethodHandle PIDFD_OPEN =
      variadic("syscall", 1, FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));

  /** syscall(number, descriptor, signal, info, flags) of pidfd_send_signal. */
  static final MethodHandle PIDFD_SEND_SIGNAL =
      variadic(
          "syscall",
          1,
          FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG));

  static final MethodHandle PRCTL =
      variadic("prctl", 1, FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));

  /** syscall(number, operation, flags, program). */
  static final MethodHandle SECCOMP =
      variadic(
          "syscall", 1, FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, ADDRESS));

  static final MethodHandle WAITID =
      checked("waitid", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));

  static final MethodHandle SCHED_SETSCHEDULER =
      checked("sched_setscheduler", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS));
  static final MethodHandle SCHED_SETAFFINITY =
      checked("sched_setaffinity", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS));
  static final MethodHandle SCHED_GETAFFINITY =
      checked("sched_getaffinity", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS));
  static final MethodHandle SETPRIORITY =
      checked("setpriority", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));

  /** syscall(number, word, operation, value, timespec, 0, 0) of futex. */
  static final MethodHandle FUTEX =
      syscall(
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));

  private static final FunctionDescriptor WAITV =
      FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT);

  /** syscall(number, waiters, count, flags, timespec, clock) of futex_waitv. */
  static final MethodHandle FUTEX_WAITV = syscall(WAITV);

  /** The same, with errno. */
  static final MethodHandle FUTEX_WAITV_CHECKED = variadic("syscall", 1, WAITV);
}
