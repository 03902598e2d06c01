package io.isle.lib.ffi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.isle.api.base.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A listening sequenced-packet unix socket with a name in the abstract namespace; the name needs no
 * file and ends with the socket. Not thread-safe.
 */
public final class UnixListener implements AutoCloseable {
  private static final int SOCK_CLOEXEC = 0x80000;
  private static final int POLLIN = 1;

  private final int descriptor;
  private boolean closed;

  private UnixListener(int descriptor) {
    this.descriptor = descriptor;
  }

  /**
   * Listens under an abstract name.
   *
   * @param name at most 107 bytes
   * @throws PosixException EADDRINUSE and others
   */
  public static UnixListener listen(String name) {
    try (Arena arena = Arena.ofConfined()) {
      SockAddr address = new SockAddr();
      address.unix(name);
      MemorySegment state = LibC.callState(arena);
      int fd =
          (int)
              LibC.SOCKET.invokeExact(
                  state, Sockets.AF_UNIX, Sockets.SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
      if (fd < 0) {
        throw LibC.failure("socket", state);
      }
      UnixListener listener = new UnixListener(fd);
      if ((int) LibC.BIND.invokeExact(state, fd, address.memory(), address.length()) != 0
          || (int) LibC.LISTEN.invokeExact(state, fd, 1) != 0) {
        PosixException failure = LibC.failure("bind or listen", state);
        listener.close();
        throw failure;
      }
      return listener;
    } catch (RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw LibC.unexpected(e);
    }
  }

  /** The descriptor to wait on, valid until {@link #close}. */
  public int descriptor() {
    return descriptor;
  }

  /**
   * Waits for a connection.
   *
   * @return empty if no connection came in time
   */
  public Optional<UnixConnection> accept(int timeoutMs) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = LibC.callState(arena);
      MemorySegment poll = arena.allocate(8, 4);
      poll.set(JAVA_INT, 0, descriptor);
      poll.set(JAVA_SHORT, 4, (short) POLLIN);
      int ready = (int) LibC.POLL.invokeExact(state, poll, 1L, timeoutMs);
      if (ready == 0 || (ready < 0 && LibC.errno(state) == Errno.EINTR)) {
        return Optional.empty();
      }
      int fd =
          (int)
              LibC.ACCEPT4.invokeExact(
                  state, descriptor, MemorySegment.NULL, MemorySegment.NULL, SOCK_CLOEXEC);
      if (fd < 0) {
        throw LibC.failure("accept", state);
      }
      return Optional.of(new UnixConnection(fd));
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
