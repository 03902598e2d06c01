package io.isle.lib.ffi;

import io.isle.api.base.Errno;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A counter with a descriptor (eventfd), by which one thread wakes another one that waits in {@link
 * Epoll} or {@link PollSet}: the descriptor is readable from a signal until the next drain.
 * Thread-safe. Calls that succeed allocate nothing after construction.
 */
public final class EventDescriptor implements AutoCloseable {
  private static final int EFD_NONBLOCK = 0x800;
  private static final int EFD_CLOEXEC = 0x80000;

  private final MemorySegment state = SocketLib.state();
  private final MemorySegment value = SocketLib.memory(8);
  private final int descriptor;
  private boolean closed;

  /**
   * Opens a counter at 0.
   *
   * @throws PosixException EMFILE and others
   */
  public EventDescriptor() {
    try {
      this.descriptor = (int) SocketLib.EVENTFD.invokeExact(state, 0, EFD_NONBLOCK | EFD_CLOEXEC);
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
    if (descriptor < 0) {
      throw LibC.failure("eventfd", state);
    }
  }

  private EventDescriptor(int descriptor) {
    this.descriptor = descriptor;
  }

  /**
   * The counter behind a descriptor that another process has passed on.
   *
   * @param descriptor closed with the object
   */
  public static EventDescriptor adopt(int descriptor) {
    return new EventDescriptor(descriptor);
  }

  /** The descriptor to wait on, valid until {@link #close}. */
  public int descriptor() {
    return descriptor;
  }

  /** Makes the descriptor readable; nothing after the close. */
  public synchronized void signal() {
    if (closed) {
      return;
    }
    try {
      int result = (int) SocketLib.EVENTFD_WRITE.invokeExact(descriptor, 1L);
      if (result == 0) {
        return;
      }
      do {
        result = (int) SocketLib.EVENTFD_WRITE_CHECKED.invokeExact(state, descriptor, 1L);
      } while (result != 0 && LibC.errno(state) == Errno.EINTR);
      // a counter at its end is readable
      if (result != 0 && LibC.errno(state) != Errno.EAGAIN) {
        throw LibC.failure("eventfd_write", state);
      }
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  /**
   * Ends the readability.
   *
   * @return signals since the last drain; 0 after the close
   */
  public synchronized long drain() {
    if (closed) {
      return 0;
    }
    try {
      int result = (int) SocketLib.EVENTFD_READ.invokeExact(descriptor, value);
      if (result == 0) {
        return value.get(ValueLayout.JAVA_LONG, 0);
      }
      do {
        result = (int) SocketLib.EVENTFD_READ_CHECKED.invokeExact(state, descriptor, value);
      } while (result != 0 && LibC.errno(state) == Errno.EINTR);
      if (result == 0) {
        return value.get(ValueLayout.JAVA_LONG, 0);
      }
      if (LibC.errno(state) != Errno.EAGAIN) {
        throw LibC.failure("eventfd_read", state);
      }
      return 0;
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      Descriptors.close(descriptor);
    }
  }
}
