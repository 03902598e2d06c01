package io.isle.lib.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.isle.api.base.Errno;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The errno of the calling thread, read behind a call that did not capture it.
 *
 * <p>A captured errno costs a slice of the segment that receives it in each call, 40 bytes of heap
 * unless the optimising compiler inlines all of the call, which depends on the callers. Behind a
 * call without capture, the JVM may have changed errno before Java reads it, when a safepoint comes
 * just then. So only codes are believed that are harmless or that the JVM itself never causes; for
 * all others, a call with capture is the answer.
 */
final class LastErrno {
  private static final int FIRST_OF_SOCKETS = SocketErrors.ENOTSOCK;
  private static final int LAST_OF_SOCKETS = SocketErrors.EHOSTUNREACH;
  private static final MemorySegment ALL = all();

  @SuppressWarnings("restricted")
  private static final MethodHandle LOCATION =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("__errno_location"),
              FunctionDescriptor.of(JAVA_LONG),
              Linker.Option.critical(false));

  private LastErrno() {}

  @SuppressWarnings("restricted")
  private static MemorySegment all() {
    return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  }

  /**
   * The code of the call before.
   *
   * @return -EAGAIN, or the negated code of a socket; 0 if the code is not certain
   */
  static int code() {
    int errno = raw();
    boolean certain =
        errno == Errno.EAGAIN || errno >= FIRST_OF_SOCKETS && errno <= LAST_OF_SOCKETS;
    return certain ? -errno : 0;
  }

  /** The errno as it is now, positive; of the call before unless the JVM came between. */
  static int raw() {
    try {
      return ALL.get(JAVA_INT, (long) LOCATION.invokeExact());
    } catch (Throwable e) {
      throw LibC.unexpected(e);
    }
  }
}
