package io.isle.lib.ffi;

import io.isle.api.base.Errno;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Sockets as descriptors, from their creation to their close. Every socket of this class is
 * non-blocking, and closed in child processes. Every method returns 0 or more, or a negated errno
 * of Linux; no method waits. Allocates nothing after construction.
 *
 * <p>One thread at a time an object; a descriptor has no such limit. The owner of a descriptor
 * closes the descriptor once, when no other thread uses the number any more.
 */
public final class Sockets {
  /** Family of names in the machine. */
  public static final int AF_UNIX = 1;

  /** Family of IPv4. */
  public static final int AF_INET = 2;

  /** Family of IPv6; a socket of this family reaches IPv4, too, unless IPV6_V6ONLY is set. */
  public static final int AF_INET6 = 10;

  /** Family of messages with the kernel. */
  public static final int AF_NETLINK = 16;

  /** Family of frames beside the kernel's stack. */
  public static final int AF_PACKET = 17;

  /** Family of frames past the kernel's stack. */
  public static final int AF_XDP = 44;

  /** A stream of bytes: TCP in both inet families. */
  public static final int SOCK_STREAM = 1;

  /** Datagrams: UDP in both inet families. */
  public static final int SOCK_DGRAM = 2;

  /** What lies below the datagrams; for AF_NETLINK, AF_PACKET and AF_XDP, and one of AF_INET. */
  public static final int SOCK_RAW = 3;

  /** Echo and errors of IPv4; for SOCK_RAW of AF_INET. */
  public static final int IPPROTO_ICMP = 1;

  /** Messages in order over a connection; for AF_UNIX. */
  public static final int SOCK_SEQPACKET = 5;

  /** No more receiving. */
  public static final int SHUT_RD = 0;

  /** No more sending: the peer reads an end. */
  public static final int SHUT_WR = 1;

  /** Neither. */
  public static final int SHUT_RDWR = 2;

  private static final int F_DUPFD_CLOEXEC = 1030;
  static final int SOCK_NONBLOCK = 0x800;
  static final int SOCK_CLOEXEC = 0x80000;

  private final MemorySegment state = SocketLib.state();
  private final MemorySegment count = SocketLib.memory(4);
  private final MemorySegment pair = SocketLib.memory(8);

  /**
   * Opens a socket.
   *
   * @param family such as {@link #AF_INET}
   * @param type such as {@link #SOCK_STREAM}
   * @return the descriptor; -EAFNOSUPPORT, -EMFILE and others
   */
  public int socket(int family, int type) {
    return socket(family, type, 0);
  }

  /**
   * Opens a socket of a protocol.
   *
   * @param protocol such as {@link #IPPROTO_ICMP}; 0 for that of the type
   * @return as the other method; -EPERM for a raw socket without CAP_NET_RAW
   */
  public int socket(int family, int type, int protocol) {
    try {
      int flags = SOCK_NONBLOCK | SOCK_CLOEXEC;
      int fd = (int) LibC.SOCKET.invokeExact(state, family, type | flags, protocol);
      return fd >= 0 ? fd : -LibC.errno(state);
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  /**
   * Opens two unix sockets that are connected with each other.
   *
   * @param type such as {@link #SOCK_STREAM}
   * @param two receives both descriptors
   * @return 0; -EMFILE and others
   */
  public int pair(int type, int[] two) {
    try {
      int result =
          (int)
              SocketLib.SOCKETPAIR.invokeExact(
                  state, AF_UNIX, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair);
      if (result != 0) {
        return -LibC.errno(state);
      }
      two[0] = pair.get(ValueLayout.JAVA_INT, 0);
      two[1] = pair.get(ValueLayout.JAVA_INT, 4);
      return 0;
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  /**
   * Gives the socket its address.
   *
   * @return 0; -EADDRINUSE, -EADDRNOTAVAIL, -EACCES and others
   */
  public int bind(int fd, SockAddr address) {
    try {
      return code((int) LibC.BIND.invokeExact(state, fd, address.memory(), address.length()));
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  /**
   * As the other method, for a family whose addresses {@link SockAddr} does not know.
   *
   * @param address all of the structure, native
   */
  public int bind(int fd, MemorySegment address) {
    try {
      int bytes = Math.toIntExact(address.byteSize());
      return code((int) LibC.BIND.invokeExact(state, fd, address, bytes));
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  /**
   * Accepts connections from now on.
   *
   * @param backlog largest number of connections that wait for {@link #accept}; the kernel may
   *     lower the number
   */
  public int listen(int fd, int backlog) {
    try {
      return code((int) LibC.LISTEN.invokeExact(state, fd, backlog));
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  /**
   * Takes a waiting connection. Allocates nothing if none waits.
   *
   * @param peer receives the address of the peer
   * @return the descriptor of the connection; -EAGAIN without one; -ECONNABORTED, -EMFILE, -ENFILE
   *     and others, after which the socket goes on listening
   */
  public int accept(int listener, SockAddr peer) {
    try {
      peer.beginReceive();
      int fd =
          (int)
              LibC.ACCEPT4_PLAIN.invokeExact(
                  listener, peer.memory(), peer.lengthCell(), SOCK_NONBLOCK | SOCK_CLOEXEC);
      if (fd >= 0 || LastErrno.code() == -Errno.EAGAIN) {
        return fd >= 0 ? fd : -Errno.EAGAIN;
      }
      do {
        peer.beginReceive();
        fd =
            (int)
                LibC.ACCEPT4.invokeExact(
                    state,
                    listener,
                    peer.memory(),
                    peer.lengthCell(),
                    SOCK_NONBLOCK | SOCK_CLOEXEC);
      } while (fd < 0 && LibC.errno(state) == Errno.EINTR);
      return fd >= 0 ? fd : -LibC.errno(state);
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  /**
   * Begins a connection, or sets the peer of a datagram socket. A datagram socket forgets its peer
   * by a cleared address.
   *
   * @return 0 when connected; -EINPROGRESS for a stream that is to be awaited for writing, with the
   *     outcome in SO_ERROR; -ECONNREFUSED, -EADDRNOTAVAIL and others
   */
  public int connect(int fd, SockAddr address) {
    try {
      int result = (int) LibC.CONNECT.invokeExact(state, fd, address.memory(), address.length());
      if (result == 0) {
        return 0;
      }
      int errno = LibC.errno(state);
      // an interrupted connect goes on by itself
      return errno == Errno.EINTR ? -Errno.EINPROGRESS : -errno;
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  /**
   * Ends one or both directions of a connection, for all who use the socket.
   *
   * @param how such as {@link #SHUT_WR}
   * @return 0; -ENOTCONN
   */
  public int shutdown(int fd, int how) {
    try {
      return code((int) LibC.SHUTDOWN.invokeExact(state, fd, how));
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  /**
   * Gives the descriptor back; afterwards the number may belong to another file.
   *
   * @return 0; -EBADF
   */
  public int close(int fd) {
    try {
      int code = code((int) LibC.CLOSE.invokeExact(state, fd));
      // Linux has closed an interrupted descriptor
      return code == -Errno.EINTR ? 0 : code;
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  /**
   * A further number for the same file, closed in child processes; each number is closed on its
   * own.
   *
   * @return the number; -EMFILE, -EBADF
   */
  public int duplicate(int fd) {
    try {
      int copy = (int) LibC.FCNTL.invokeExact(state, fd, F_DUPFD_CLOEXEC, 0);
      return copy >= 0 ? copy : -LibC.errno(state);
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  /** Reads the socket's own address: after a bind to port 0, the port that the kernel chose. */
  public int localAddress(int fd, SockAddr into) {
    try {
      into.beginReceive();
      return code(
          (int) SocketLib.GETSOCKNAME.invokeExact(state, fd, into.memory(), into.lengthCell()));
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  /**
   * Reads the address of the connected peer.
   *
   * @return 0; -ENOTCONN
   */
  public int peerAddress(int fd, SockAddr into) {
    try {
      into.beginReceive();
      return code(
          (int) SocketLib.GETPEERNAME.invokeExact(state, fd, into.memory(), into.lengthCell()));
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  private int code(int result) {
    return result >= 0 ? result : -LibC.errno(state);
  }

  /** Bytes that have arrived and are not read: the ioctl SIOCINQ. */
  public int unread(int fd) {
    return queued(fd, 0x541B);
  }

  /** Bytes that are sent and, on TCP, not acknowledged by the peer's kernel: SIOCOUTQ. */
  public int unacknowledged(int fd) {
    return queued(fd, 0x5411);
  }

  private int queued(int fd, long request) {
    try {
      int result = (int) SocketLib.IOCTL.invokeExact(fd, request, count);
      if (result < 0) {
        result = (int) SocketLib.IOCTL_CHECKED.invokeExact(state, fd, request, count);
      }
      return result < 0 ? -LibC.errno(state) : count.get(ValueLayout.JAVA_INT, 0);
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }
}
