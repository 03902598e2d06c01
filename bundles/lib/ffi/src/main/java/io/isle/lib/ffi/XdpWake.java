package io.isle.lib.ffi;

import io.isle.api.base.Errno;
import java.lang.foreign.MemorySegment;

/**
 * Wakes the kernel's side of an AF_XDP socket: calls with a null buffer and MSG_DONTWAIT alone, so
 * that a filter of system calls can permit nothing else. A repeated wake-up does no harm, so codes
 * are read without capture. Static methods, any thread; allocates nothing.
 */
public final class XdpWake {
  private static final int MSG_DONTWAIT = 0x40;

  static {
    // ready before its first use behind a call
    int ignored = LastErrno.code();
  }

  private XdpWake() {}

  /**
   * Has the kernel send descriptors of the TX ring.
   *
   * @return 0; -EAGAIN if descriptors remain, or the completion ring is full; -EBUSY if the device
   *     dropped a frame; -ENOBUFS without memory; -ENETDOWN, -ENXIO; another negated errno
   */
  public static int transmit(int descriptor) {
    try {
      long result =
          (long)
              SocketLib.SENDTO.invokeExact(
                  descriptor, 0L, 0L, MSG_DONTWAIT, MemorySegment.NULL, 0, MemorySegment.NULL);
      return result < 0 ? code() : 0;
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  /**
   * Has the kernel, or the polled device, fill the RX ring.
   *
   * @return 0; -EAGAIN without new frames; -ENETDOWN, -ENXIO; another negated errno
   */
  public static int receive(int descriptor) {
    try {
      long result =
          (long)
              SocketLib.RECVFROM.invokeExact(
                  descriptor,
                  0L,
                  0L,
                  MSG_DONTWAIT,
                  MemorySegment.NULL,
                  MemorySegment.NULL,
                  MemorySegment.NULL);
      return result < 0 ? code() : 0;
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  /** Of a call that failed; a later errno of the JVM names a wrong reason, and nothing is lost. */
  private static int code() {
    int errno = LastErrno.raw();
    return errno > 0 ? -errno : -Errno.EAGAIN;
  }
}
