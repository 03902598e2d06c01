package io.isle.lib.ffi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Waits for events of many descriptors. The numbers of events are those of {@link EpollEvents}.
 * Methods return 0 or more, or a negated errno of Linux; -EBADF after the close. Calls that succeed
 * allocate nothing after construction. Thread-safe, but for {@link #close}: no thread may wait
 * then.
 */
public final class Epoll implements AutoCloseable {
  private static final int EPOLL_CLOEXEC = 0x80000;
  private static final int ADD = 1;
  private static final int REMOVE = 2;
  private static final int MODIFY = 3;

  private final MemorySegment state = SocketLib.state();
  private final MemorySegment event = SocketLib.memory(16);
  private final int descriptor;
  private volatile boolean closed;

  /**
   * Opens a set without descriptors.
   *
   * @throws PosixException EMFILE and others
   */
  public Epoll() {
    try {
      this.descriptor = (int) SocketLib.EPOLL_CREATE1.invokeExact(state, EPOLL_CLOEXEC);
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
    if (descriptor < 0) {
      throw LibC.failure("epoll_create1", state);
    }
  }

  /**
   * Adds a descriptor. The close of the descriptor removes it, unless another number refers to the
   * same file.
   *
   * @param events such as {@code EPOLLIN | EPOLLET}
   * @param token comes back with each event
   * @return 0; -EEXIST, -EPERM for files that are always ready, and others
   */
  public int add(int fd, int events, long token) {
    return control(ADD, fd, events, token);
  }

  /**
   * Changes events and token of a descriptor, and reports again what is ready.
   *
   * @return 0; -ENOENT and others
   */
  public int modify(int fd, int events, long token) {
    return control(MODIFY, fd, events, token);
  }

  /**
   * Removes a descriptor. Events that a wait has returned already stay in the list.
   *
   * @return 0; -ENOENT and others
   */
  public int remove(int fd) {
    return control(REMOVE, fd, 0, 0);
  }

  private synchronized int control(int operation, int fd, int events, long token) {
    if (closed) {
      return -SocketErrors.EBADF;
    }
    event.set(ValueLayout.JAVA_INT, 0, events);
    event.set(ValueLayout.JAVA_LONG_UNALIGNED, EpollEvents.TOKEN, token);
    try {
      int done = (int) SocketLib.EPOLL_CTL.invokeExact(descriptor, operation, fd, event);
      if (done == 0) {
        return 0;
      }
      int result =
          (int) SocketLib.EPOLL_CTL_CHECKED.invokeExact(state, descriptor, operation, fd, event);
      return result == 0 ? 0 : -LibC.errno(state);
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  /**
   * Waits for the first events.
   *
   * @param into receives the events; for one waiting thread
   * @param timeoutNs 0 or less does not wait
   * @return number of events; 0 at the end of the time
   */
  public int await(EpollEvents into, long timeoutNs) {
    return closed ? -SocketErrors.EBADF : into.await(descriptor, timeoutNs);
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      Descriptors.close(descriptor);
    }
  }
}
