package io.isle.lib.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.isle.api.base.Errno;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A socket for messages with the kernel (netlink), in the network namespace of the thread that
 * opens the socket. No call waits; calls on data return bytes or a negated errno and allocate
 * nothing. One thread at a time.
 */
public final class NetlinkSocket implements AutoCloseable {
  /** Protocol of links, addresses, routes and neighbours. */
  public static final int ROUTE = 0;

  /** Largest message of the kernel, in bytes of a buffer that truncates nothing. */
  public static final int LARGEST = 64 << 10;

  private static final int SOL_NETLINK = 270;
  private static final int ADD_MEMBERSHIP = 1;
  private static final int CAP_ACK = 10;
  private static final int EXT_ACK = 11;
  private static final int GET_STRICT_CHK = 12;

  /** Structure sockaddr_nl {u16 family, u16, u32 port, u32 groups}; port 0 is the kernel. */
  private static final int ADDRESS_BYTES = 12;

  private static final long PORT = 4;

  private final Sockets sockets = new Sockets();
  private final SocketOptions options = new SocketOptions();
  private final MemorySegment kernel = address();
  private final MemorySegment from = address();
  private final MemorySegment fromLength = SocketLib.memory(4);
  private final MemorySegment value = SocketLib.memory(4);
  private final MemorySegment state = SocketLib.state();
  private final int descriptor;
  private boolean closed;

  private NetlinkSocket(int descriptor) {
    this.descriptor = descriptor;
  }

  /**
   * Opens a socket whose failures have texts, and whose dumps look at their filters.
   *
   * @param protocol such as {@link #ROUTE}
   * @throws PosixException EMFILE, EPROTONOSUPPORT and others
   */
  public static NetlinkSocket open(int protocol) {
    int fd = openRaw(protocol);
    NetlinkSocket socket = new NetlinkSocket(fd);
    try {
      socket.require("bind of netlink", socket.sockets.bind(fd, address()));
      socket.option(CAP_ACK, 1);
      socket.option(EXT_ACK, 1);
      socket.option(GET_STRICT_CHK, 1);
    } catch (PosixException e) {
      socket.close();
      throw e;
    }
    return socket;
  }

  private static int openRaw(int protocol) {
    MemorySegment state = SocketLib.state();
    try {
      int type = Sockets.SOCK_RAW | Sockets.SOCK_NONBLOCK | Sockets.SOCK_CLOEXEC;
      int fd = (int) LibC.SOCKET.invokeExact(state, Sockets.AF_NETLINK, type, protocol);
      if (fd < 0) {
        throw LibC.failure("socket of netlink", state);
      }
      return fd;
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  private static MemorySegment address() {
    MemorySegment address = SocketLib.memory(ADDRESS_BYTES);
    address.set(JAVA_SHORT, 0, (short) Sockets.AF_NETLINK);
    return address;
  }

  private void option(int number, int to) {
    value.set(JAVA_INT, 0, to);
    require(
        "option " + number + " of netlink", options.set(descriptor, SOL_NETLINK, number, value));
  }

  private void require(String call, int code) {
    if (code < 0) {
      throw new PosixException(call, code);
    }
  }

  /** The descriptor to wait on, valid until {@link #close}. */
  public int descriptor() {
    return descriptor;
  }

  /**
   * Receives the kernel's messages to a group from now on.
   *
   * @throws PosixException if there is no such group
   */
  public void join(int group) {
    option(ADD_MEMBERSHIP, group);
  }

  /**
   * Sets the room for messages that wait; as much as the machine permits without CAP_NET_ADMIN.
   *
   * @param bytes the kernel grants twice as many
   */
  public void room(int bytes) {
    if (options.set(descriptor, SocketOption.SO_RCVBUFFORCE, bytes) < 0) {
      require("SO_RCVBUF", options.set(descriptor, SocketOption.SO_RCVBUF, bytes));
    }
  }

  /**
   * Sends a message to the kernel.
   *
   * @return bytes; -EAGAIN, -ENOBUFS and others
   */
  public long send(MemorySegment message, long offset, long length) {
    Objects.checkFromIndexSize(offset, length, message.byteSize());
    long address = message.address() + offset;
    try {
      long result;
      do {
        result =
            (long)
                SocketLib.SENDTO_CHECKED.invokeExact(
                    state,
                    descriptor,
                    address,
                    length,
                    SocketIo.SENDING,
                    kernel,
                    ADDRESS_BYTES,
                    message);
      } while (result < 0 && LibC.errno(state) == Errno.EINTR);
      return result < 0 ? -LibC.errno(state) : result;
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  /**
   * Receives messages of the kernel from the begin of {@code into}; those of other processes are
   * dropped.
   *
   * @return bytes; -EAGAIN without a message; -ENOBUFS if messages were lost, because too many
   *     waited; -EMSGSIZE if the memory was too small, and the rest is lost
   */
  public long receive(MemorySegment into) {
    SocketIo.requireWritable(into);
    long length = into.byteSize();
    while (true) {
      long result = receiveAny(into, length);
      if (result >= 0 && from.get(JAVA_INT, PORT) != 0) {
        continue;
      }
      return result > length ? -Errno.EMSGSIZE : result;
    }
  }

  private long receiveAny(MemorySegment into, long length) {
    int flags = SocketIo.MSG_DONTWAIT | SocketIo.MSG_TRUNC;
    long address = into.address();
    fromLength.set(JAVA_INT, 0, ADDRESS_BYTES);
    try {
      long result =
          (long)
              SocketLib.RECVFROM.invokeExact(
                  descriptor, address, length, flags, from, fromLength, into);
      int code = result < 0 ? LastErrno.code() : 0;
      if (result >= 0 || code != 0) {
        return result < 0 ? code : result;
      }
      do {
        fromLength.set(JAVA_INT, 0, ADDRESS_BYTES);
        result =
            (long)
                SocketLib.RECVFROM_CHECKED.invokeExact(
                    state, descriptor, address, length, flags, from, fromLength, into);
      } while (result < 0 && LibC.errno(state) == Errno.EINTR);
      return result < 0 ? -LibC.errno(state) : result;
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  /** Closes the socket; idempotent. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      Descriptors.close(descriptor);
    }
  }
}
