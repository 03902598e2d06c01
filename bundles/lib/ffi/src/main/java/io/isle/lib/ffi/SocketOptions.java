package io.isle.lib.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;

/**
 * Reads and changes options of sockets. Every method returns 0 or more, or a negated errno of
 * Linux, such as -ENOPROTOOPT for an option that the socket lacks. Allocates nothing after
 * construction. One thread at a time.
 */
public final class SocketOptions {
  private static final int SOL_SOCKET = 1;
  private static final int SO_LINGER = 13;
  private static final int IPPROTO_TCP = 6;
  private static final int TCP_INFO = 11;

  private final MemorySegment state = SocketLib.state();
  private final MemorySegment value = SocketLib.memory(8);
  private final MemorySegment length = SocketLib.memory(4);

  /**
   * Changes an option.
   *
   * @return 0 or a negated errno
   */
  public int set(int fd, SocketOption option, int to) {
    value.set(JAVA_INT, 0, to);
    return set(fd, option.level(), option.number(), Integer.BYTES);
  }

  /**
   * Reads an option.
   *
   * @return its value, of which none is negative; or a negated errno
   */
  public int get(int fd, SocketOption option) {
    value.set(JAVA_INT, 0, 0);
    int code = get(fd, option.level(), option.number(), value, Integer.BYTES);
    return code < 0 ? code : value.get(JAVA_INT, 0);
  }

  /**
   * Sets what a close does with unsent bytes (SO_LINGER).
   *
   * @param seconds 0: drop them and reset the connection; negative: send them in the background
   */
  public int linger(int fd, int seconds) {
    value.set(JAVA_INT, 0, seconds < 0 ? 0 : 1);
    value.set(JAVA_INT, 4, Math.max(0, seconds));
    return set(fd, SOL_SOCKET, SO_LINGER, 2 * Integer.BYTES);
  }

  /**
   * Reads the state of a TCP connection.
   *
   * @return 0 or a negated errno, after which the old contents stay
   */
  public int tcpInfo(int fd, TcpInfo into) {
    int code = get(fd, IPPROTO_TCP, TCP_INFO, into.memory(), TcpInfo.BYTES);
    if (code == 0) {
      into.length(length.get(JAVA_INT, 0));
    }
    return code;
  }

  /**
   * Changes an option with a structure or number of its own.
   *
   * @param with all of the structure, native
   * @return 0 or a negated errno
   */
  public int set(int fd, int level, int number, MemorySegment with) {
    return set(fd, level, number, with, Math.toIntExact(with.byteSize()));
  }

  /**
   * Reads an option with a structure or number of its own.
   *
   * @param into receives the structure, native
   * @return bytes that the kernel wrote, or a negated errno
   */
  public int get(int fd, int level, int number, MemorySegment into) {
    int code = get(fd, level, number, into, Math.toIntExact(into.byteSize()));
    return code < 0 ? code : length.get(JAVA_INT, 0);
  }

  private int set(int fd, int level, int number, int bytes) {
    return set(fd, level, number, value, bytes);
  }

  private int set(int fd, int level, int number, MemorySegment with, int bytes) {
    try {
      int result = (int) SocketLib.SETSOCKOPT.invokeExact(state, fd, level, number, with, bytes);
      return result == 0 ? 0 : -LibC.errno(state);
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  private int get(int fd, int level, int number, MemorySegment into, int bytes) {
    length.set(JAVA_INT, 0, bytes);
    try {
      int result = (int) SocketLib.GETSOCKOPT.invokeExact(fd, level, number, into, length);
      if (result == 0) {
        return 0;
      }
      result = (int) LibC.GETSOCKOPT.invokeExact(state, fd, level, number, into, length);
      return result == 0 ? 0 : -LibC.errno(state);
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }
}
