package io.isle.lib.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.isle.api.base.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A connected unix socket for messages with one file descriptor each. Not thread-safe, except for
 * the methods that state otherwise.
 */
public final class UnixConnection implements AutoCloseable {
  private static final int SOL_SOCKET = 1;
  private static final int SCM_RIGHTS = 1;
  private static final int MSG_NOSIGNAL = 0x4000;
  private static final int MSG_DONTWAIT = 0x40;
  private static final int MSG_CTRUNC = 8;
  private static final int MSG_TRUNC = 0x20;
  private static final int MSG_CMSG_CLOEXEC = 0x40000000;
  private static final int SHUT_RDWR = 2;
  private static final short POLLRDHUP = 0x2000;

  /** A cmsghdr and one descriptor, not padded: the kernel closes further ones and says so. */
  private static final long RECEIVED_CONTROL_BYTES = 20;

  private final int descriptor;
  private boolean closed;

  UnixConnection(int descriptor) {
    this.descriptor = descriptor;
  }

  /**
   * Connects to a {@link UnixListener} of this machine.
   *
   * @param name at most 107 bytes
   * @throws PosixException ECONNREFUSED if nobody listens; EAGAIN if too many connections wait
   */
  public static UnixConnection connect(String name) {
    SockAddr address = new SockAddr();
    address.unix(name);
    Sockets sockets = new Sockets();
    int fd = sockets.socket(Sockets.AF_UNIX, Sockets.SOCK_SEQPACKET);
    int code = fd < 0 ? fd : sockets.connect(fd, address);
    if (code < 0) {
      if (fd >= 0) {
        Descriptors.close(fd);
      }
      throw new PosixException("connect to " + address, -code, SocketErrors.text(code));
    }
    return new UnixConnection(fd);
  }

  /** The descriptor to wait on, valid until {@link #close}. */
  public int descriptor() {
    return descriptor;
  }

  /** The peer at the time of the connection. */
  public PeerCredentials peer() {
    return PeerCredentials.of(descriptor);
  }

  /** Process id of the peer at the time of the connection. */
  public int peerPid() {
    return peer().pid();
  }

  /**
   * Sends {@code message} and a copy of the descriptor {@code passed}; never waits.
   *
   * @throws PosixException EPIPE if the peer has disconnected; EAGAIN if the peer has not read
   *     earlier messages
   */
  public void send(MemorySegment message, int passed) {
    try (Arena arena = Arena.ofConfined()) {
      // cmsghdr {u64 length = 20, int level, int type} and one int, padded to 24
      MemorySegment control = arena.allocate(24, 8);
      control.set(JAVA_LONG, 0, 20);
      control.set(JAVA_INT, 8, SOL_SOCKET);
      control.set(JAVA_INT, 12, SCM_RIGHTS);
      control.set(JAVA_INT, 16, passed);
      MemorySegment header = header(arena, message, control, 24);
      MemorySegment state = LibC.callState(arena);
      long sent =
          (long) LibC.SENDMSG.invokeExact(state, descriptor, header, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent != message.byteSize()) {
        throw LibC.failure("sendmsg", state);
      }
    } catch (RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw LibC.unexpected(e);
    }
  }

  /**
   * Takes the next message and its descriptor; never waits.
   *
   * @param into receives the message
   * @return empty without a message
   * @throws PosixException EMSGSIZE if the message is larger than {@code into} or has more than one
   *     descriptor, all of which are closed; ECONNRESET and others
   */
  public Optional<UnixMessage> receive(MemorySegment into) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment control = arena.allocate(24, 8);
      MemorySegment header = header(arena, into, control, RECEIVED_CONTROL_BYTES);
      MemorySegment state = LibC.callState(arena);
      long got;
      do {
        got =
            (long)
                LibC.RECVMSG.invokeExact(
                    state, descriptor, header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
      } while (got < 0 && LibC.errno(state) == Errno.EINTR);
      if (got < 0) {
        if (LibC.errno(state) == Errno.EAGAIN) {
          return Optional.empty();
        }
        throw LibC.failure("recvmsg", state);
      }
      boolean passed =
          header.get(JAVA_LONG, 40) >= RECEIVED_CONTROL_BYTES
              && control.get(JAVA_INT, 8) == SOL_SOCKET
              && control.get(JAVA_INT, 12) == SCM_RIGHTS;
      int received = passed ? control.get(JAVA_INT, 16) : -1;
      if ((header.get(JAVA_INT, 48) & (MSG_TRUNC | MSG_CTRUNC)) != 0) {
        if (passed) {
          Descriptors.close(received);
        }
        throw new PosixException(
            "recvmsg", Errno.EMSGSIZE, "the message is too large or has several descriptors");
      }
      return Optional.of(new UnixMessage((int) got, received));
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  /**
   * Structure msghdr {name, u32 name length, vector, count, control, control length, int flags}.
   */
  private static MemorySegment header(
      Arena arena, MemorySegment message, MemorySegment control, long controlBytes) {
    MemorySegment vector = arena.allocate(16, 8);
    vector.set(ADDRESS, 0, message);
    vector.set(JAVA_LONG, 8, message.byteSize());
    MemorySegment header = arena.allocate(56, 8);
    header.set(ADDRESS, 16, vector);
    header.set(JAVA_LONG, 24, 1);
    header.set(ADDRESS, 32, control);
    header.set(JAVA_LONG, 40, controlBytes);
    return header;
  }

  /**
   * Waits for a disconnect by either side, by {@link #hangUp} or by the end of the process. For one
   * further thread, in parallel to the sending thread.
   *
   * @param timeoutMs in milliseconds; negative for no limit
   * @return whether a disconnect happened in time
   */
  public boolean awaitHangUp(int timeoutMs) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = LibC.callState(arena);
      // pollfd {int descriptor, short events, short happened}
      MemorySegment poll = arena.allocate(8, 4);
      poll.set(JAVA_INT, 0, descriptor);
      poll.set(JAVA_SHORT, 4, POLLRDHUP);
      int ready;
      do {
        ready = (int) LibC.POLL.invokeExact(state, poll, 1L, timeoutMs);
      } while (ready < 0 && LibC.errno(state) == Errno.EINTR);
      if (ready < 0) {
        throw LibC.failure("poll", state);
      }
      return ready > 0;
    } catch (RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw LibC.unexpected(e);
    }
  }

  /** Disconnects in both directions and wakes waiting threads on both sides. */
  public void hangUp() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = LibC.callState(arena);
      int result = (int) LibC.SHUTDOWN.invokeExact(state, descriptor, SHUT_RDWR);
      if (result != 0 && LibC.errno(state) != Errno.ENOTCONN) {
        throw LibC.failure("shutdown", state);
      }
    } catch (RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw LibC.unexpected(e);
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      Descriptors.close(descriptor);
    }
  }
}
