package io.isle.lib.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;

import io.isle.api.base.Errno;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * Commands of ethtool, for an interface of the network namespace in which a socket was opened. One
 * thread at a time.
 */
public final class EthtoolCall {
  /** Most bytes of an interface's name. */
  public static final int NAME_BYTES = 15;

  private static final long SIOCETHTOOL = 0x8946;

  /** Structure ifreq {char name[16], pointer, ...}. */
  private static final int REQUEST_BYTES = 40;

  private static final long DATA = 16;

  private final MemorySegment state = SocketLib.state();
  private final MemorySegment request = SocketLib.memory(REQUEST_BYTES);

  /**
   * Runs a command.
   *
   * @param socket any socket of the namespace
   * @param name of the interface, 1 to {@link #NAME_BYTES} bytes
   * @param command structure of the command, native, with its number in the first 4 bytes; receives
   *     the answer
   * @return 0; -ENODEV without such an interface; -ENOTSUP if its driver lacks the command; -EINVAL
   *     for a wrong name; another negated errno
   */
  public int call(int socket, String name, MemorySegment command) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    if (bytes.length < 1 || bytes.length > NAME_BYTES) {
      return -Errno.EINVAL;
    }
    request.fill((byte) 0);
    MemorySegment.copy(MemorySegment.ofArray(bytes), 0, request, 0, bytes.length);
    request.set(ADDRESS, DATA, command);
    try {
      int result = (int) SocketLib.IOCTL_CHECKED.invokeExact(state, socket, SIOCETHTOOL, request);
      return result < 0 ? -LibC.errno(state) : 0;
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }
}
