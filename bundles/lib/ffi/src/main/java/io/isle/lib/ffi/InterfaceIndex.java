package io.isle.lib.ffi;

import io.isle.api.base.Errno;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** Numbers of network interfaces. Safe for any thread. */
public final class InterfaceIndex {
  private static final long SIOCGIFINDEX = 0x8933;

  /** Structure ifreq {char name[16], int index, ...}. */
  private static final int REQUEST_BYTES = 40;

  private static final long INDEX = 16;

  private InterfaceIndex() {}

  /**
   * The number of an interface.
   *
   * @param socket any socket of the interface's network namespace
   * @param name of the interface, 1 to {@link EthtoolCall#NAME_BYTES} bytes
   * @return 1 or more; -ENODEV without such an interface; -EINVAL for a wrong name; another negated
   *     errno
   */
  public static int of(int socket, String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    if (bytes.length < 1 || bytes.length > EthtoolCall.NAME_BYTES) {
      return -Errno.EINVAL;
    }
    MemorySegment state = SocketLib.state();
    MemorySegment request = SocketLib.memory(REQUEST_BYTES);
    MemorySegment.copy(MemorySegment.ofArray(bytes), 0, request, 0, bytes.length);
    try {
      int result = (int) SocketLib.IOCTL_CHECKED.invokeExact(state, socket, SIOCGIFINDEX, request);
      return result < 0 ? -LibC.errno(state) : request.get(ValueLayout.JAVA_INT, INDEX);
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }
}
