package io.isle.lib.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Functions of libc for sockets and for waiting on descriptors, raw.
 *
 * <p>Where a function takes a range of memory, its binding takes the address as a number and, as
 * one more argument that C does not look at, the segment: for the call, the segment is checked and
 * kept. A slice at the offset would do the same, but the JVM allocates the slice as soon as a call
 * site has seen several kinds of segments.
 */
final class SocketLib {
  private SocketLib() {}

  private static final FunctionDescriptor RANGE =
      FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS);

  static final MethodHandle SEND = LibC.checked("send", RANGE);
  static final MethodHandle RECV = LibC.checked("recv", RANGE);

  static final MethodHandle SENDTO =
      LibC.checked(
          "sendto",
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS));
  static final MethodHandle RECVFROM =
      LibC.checked(
          "recvfrom",
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS, ADDRESS));

  private static final FunctionDescriptor MESSAGE =
      FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS);

  /** (descriptor, address of the msghdr, flags) and two segments to keep: headers, scratch. */
  static final MethodHandle SENDMSG = LibC.checked("sendmsg", MESSAGE);

  static final MethodHandle RECVMSG = LibC.checked("recvmsg", MESSAGE);

  /** (descriptor, address of the first mmsghdr, count, flags), then as above. */
  static final MethodHandle SENDMMSG =
      LibC.checked(
          "sendmmsg",
          FunctionDescriptor.of(
              JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));

  /** With a timeout before the segments, which the kernel handles badly: 0 for none. */
  static final MethodHandle RECVMMSG =
      LibC.checked(
          "recvmmsg",
          FunctionDescriptor.of(
              JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS));

  private static final FunctionDescriptor NAME =
      FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);

  static final MethodHandle GETSOCKNAME = LibC.checked("getsockname", NAME);
  static final MethodHandle GETPEERNAME = LibC.checked("getpeername", NAME);
  static final MethodHandle SETSOCKOPT =
      LibC.checked(
          "setsockopt",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
  static final MethodHandle IOCTL =
      LibC.variadic("ioctl", 2, FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS));

  static final MethodHandle EPOLL_CREATE1 =
      LibC.checked("epoll_create1", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
  static final MethodHandle EPOLL_CTL =
      LibC.checked(
          "epoll_ctl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS));
  static final MethodHandle EPOLL_WAIT =
      LibC.checked(
          "epoll_wait", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));

  /** syscall(number, epoll, events, count, timespec, no mask, size of a mask) of epoll_pwait2. */
  static final MethodHandle EPOLL_PWAIT2 =
      LibC.variadic(
          "syscall",
          1,
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG));

  /** (array, count, timespec, no mask). */
  static final MethodHandle PPOLL =
      LibC.checked(
          "ppoll", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG));

  static final MethodHandle EVENTFD =
      LibC.checked("eventfd", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
  static final MethodHandle EVENTFD_READ =
      LibC.checked("eventfd_read", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));
  static final MethodHandle EVENTFD_WRITE =
      LibC.checked("eventfd_write", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));

  /** Memory that lives as long as an object refers to the segment, for any thread. */
  static MemorySegment memory(long bytes) {
    return Arena.ofAuto().allocate(bytes, 8);
  }

  /** A place for errno. */
  static MemorySegment state() {
    return Arena.ofAuto().allocate(Linker.Option.captureStateLayout());
  }

  /** The exception to throw for one of a call: as it is, when the JVM refused a segment. */
  static RuntimeException failed(Throwable e) {
    if (e instanceof RuntimeException refused) {
      return refused;
    }
    if (e instanceof Error error) {
      throw error;
    }
    throw LibC.unexpected(e);
  }
}
