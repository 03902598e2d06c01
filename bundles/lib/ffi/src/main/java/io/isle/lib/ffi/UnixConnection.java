package io.isle.lib.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.isle.api.base.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A connected unix socket for messages with one file descriptor each. Not thread-safe, except for
 * the methods that state otherwise.
 */
public final class UnixConnection implements AutoCloseable {
  private static final int SOL_SOCKET = 1;
  private static final int SO_PEERCRED = 17;
  private static final int SCM_RIGHTS = 1;
  private static final int MSG_NOSIGNAL = 0x4000;
  private static final int MSG_DONTWAIT = 0x40;
  private static final int SHUT_RDWR = 2;
  private static final short POLLRDHUP = 0x2000;

  private final int descriptor;
  private boolean closed;

  UnixConnection(int descriptor) {
    this.descriptor = descriptor;
  }

  /** Process id of the peer at the time of the connection. */
  public int peerPid() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = LibC.callState(arena);
      MemorySegment credentials = arena.allocate(12, 4);
      MemorySegment length = arena.allocate(JAVA_INT);
      length.set(JAVA_INT, 0, 12);
      int result =
          (int)
              LibC.GETSOCKOPT.invokeExact(
                  state, descriptor, SOL_SOCKET, SO_PEERCRED, credentials, length);
      if (result != 0) {
        throw LibC.failure("getsockopt SO_PEERCRED", state);
      }
      return credentials.get(JAVA_INT, 0);
    } catch (RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw LibC.unexpected(e);
    }
  }

  /**
   * Sends {@code message} and a copy of the descriptor {@code passed}; never waits.
   *
   * @throws PosixException EPIPE if the peer has disconnected; EAGAIN if the peer has not read
   *     earlier messages
   */
  public void send(MemorySegment message, int passed) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment vector = arena.allocate(16, 8);
      vector.set(ADDRESS, 0, message);
      vector.set(JAVA_LONG, 8, message.byteSize());
      // cmsghdr {u64 length = 20, int level, int type} and one int, padded to 24
      MemorySegment control = arena.allocate(24, 8);
      control.set(JAVA_LONG, 0, 20);
      control.set(JAVA_INT, 8, SOL_SOCKET);
      control.set(JAVA_INT, 12, SCM_RIGHTS);
      control.set(JAVA_INT, 16, passed);
      // msghdr {name, u32 name length, vector, count, control, control length, int flags}
      MemorySegment header = arena.allocate(56, 8);
      header.set(ADDRESS, 16, vector);
      header.set(JAVA_LONG, 24, 1);
      header.set(ADDRESS, 32, control);
      header.set(JAVA_LONG, 40, 24);
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
