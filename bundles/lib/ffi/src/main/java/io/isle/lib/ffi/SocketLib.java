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
 *
 * <p>Data calls have two bindings: one without errno, which allocates nothing, and a checked one,
 * for the errno of a call that {@link LastErrno} cannot tell.
 */
final class SocketLib {
  private SocketLib() {}

  private static final String ARCH = System.getProperty("os.arch");

  private static final FunctionDescriptor RANGE =
      FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS);

  static final MethodHandle SEND = LibC.plain("send", RANGE);
  static final MethodHandle RECV = LibC.plain("recv", RANGE);
  static final MethodHandle SEND_CHECKED = LibC.checked("send", RANGE);
  static final MethodHandle RECV_CHECKED = LibC.checked("recv", RANGE);

  private static final FunctionDescriptor TO =
      FunctionDescriptor.of(
          JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS);
  private static final FunctionDescriptor FROM =
      FunctionDescriptor.of(
          JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS, ADDRESS);

  static final MethodHandle SENDTO = call("sendto", 44, 206, TO);
  static final MethodHandle RECVFROM = call("recvfrom", 45, 207, FROM);
  static final MethodHandle SENDTO_CHECKED = LibC.checked("sendto", TO);
  static final MethodHandle RECVFROM_CHECKED = LibC.checked("recvfrom", FROM);

  /** (descriptor, address of the msghdr, flags) and two segments to keep: headers, scratch. */
  private static final FunctionDescriptor MESSAGE =
      FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS);

  static final MethodHandle SENDMSG = call("sendmsg", 46, 211, MESSAGE);
  static final MethodHandle RECVMSG = call("recvmsg", 47, 212, MESSAGE);
  static final MethodHandle SENDMSG_CHECKED = LibC.checked("sendmsg", MESSAGE);
  static final MethodHandle RECVMSG_CHECKED = LibC.checked("recvmsg", MESSAGE);

  /** (descriptor, address of the first mmsghdr, count, flags), then as above. */
  private static final FunctionDescriptor SEND_MANY =
      FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);

  /** With a timeout before the segments, which the kernel handles badly: 0 for none. */
  private static final FunctionDescriptor RECEIVE_MANY =
      FunctionDescriptor.of(
          JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS);

  static final MethodHandle SENDMMSG = LibC.plain("sendmmsg", SEND_MANY);
  static final MethodHandle RECVMMSG = LibC.plain("recvmmsg", RECEIVE_MANY);
  static final MethodHandle SENDMMSG_CHECKED = LibC.checked("sendmmsg", SEND_MANY);
  static final MethodHandle RECVMMSG_CHECKED = LibC.checked("recvmmsg", RECEIVE_MANY);

  private static final FunctionDescriptor NAME =
      FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);

  static final MethodHandle GETSOCKNAME = LibC.checked("getsockname", NAME);
  static final MethodHandle GETPEERNAME = LibC.checked("getpeername", NAME);
  static final MethodHandle SETSOCKOPT =
      LibC.checked(
          "setsockopt",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));

  /** Without errno, as its calls are repeated on connections that are up. */
  static final MethodHandle GETSOCKOPT =
      LibC.plain(
          "getsockopt",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));

  private static final FunctionDescriptor REQUEST =
      FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS);

  static final MethodHandle IOCTL = LibC.plainVariadic("ioctl", 2, REQUEST);
  static final MethodHandle IOCTL_CHECKED = LibC.variadic("ioctl", 2, REQUEST);

  static final MethodHandle SOCKETPAIR =
      LibC.checked(
          "socketpair", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS));

  static final MethodHandle EPOLL_CREATE1 =
      LibC.checked("epoll_create1", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

  private static final FunctionDescriptor CONTROL =
      FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS);

  static final MethodHandle EPOLL_CTL = LibC.plain("epoll_ctl", CONTROL);
  static final MethodHandle EPOLL_CTL_CHECKED = LibC.checked("epoll_ctl", CONTROL);

  private static final FunctionDescriptor WAIT =
      FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT);

  static final MethodHandle EPOLL_WAIT = LibC.plain("epoll_wait", WAIT);
  static final MethodHandle EPOLL_WAIT_CHECKED = LibC.checked("epoll_wait", WAIT);

  /** syscall(number, epoll, events, count, timespec, no mask, size of a mask) of epoll_pwait2. */
  private static final FunctionDescriptor WAIT2 =
      FunctionDescriptor.of(
          JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG);

  static final MethodHandle EPOLL_PWAIT2 = LibC.syscall(WAIT2);
  static final MethodHandle EPOLL_PWAIT2_CHECKED = LibC.variadic("syscall", 1, WAIT2);

  /** (array, count, timespec, no mask). */
  private static final FunctionDescriptor POLLED =
      FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG);

  static final MethodHandle PPOLL = LibC.plain("ppoll", POLLED);
  static final MethodHandle PPOLL_CHECKED = LibC.checked("ppoll", POLLED);

  static final MethodHandle EVENTFD =
      LibC.checked("eventfd", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));

  private static final FunctionDescriptor TAKE = FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS);
  private static final FunctionDescriptor GIVE =
      FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG);

  static final MethodHandle EVENTFD_READ = LibC.plain("eventfd_read", TAKE);
  static final MethodHandle EVENTFD_READ_CHECKED = LibC.checked("eventfd_read", TAKE);
  static final MethodHandle EVENTFD_WRITE = LibC.plain("eventfd_write", GIVE);
  static final MethodHandle EVENTFD_WRITE_CHECKED = LibC.checked("eventfd_write", GIVE);

  /** By the number of the system call, where it is known; else by the function of the library. */
  private static MethodHandle call(String name, long amd64, long generic, FunctionDescriptor type) {
    return switch (ARCH) {
      case "amd64" -> LibC.direct(amd64, type);
      case "aarch64", "riscv64" -> LibC.direct(generic, type);
      default -> LibC.plain(name, type);
    };
  }

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
