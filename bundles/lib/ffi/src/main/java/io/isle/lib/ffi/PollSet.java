package io.isle.lib.ffi;

import io.isle.api.base.Errno;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * Waits for events of one or few descriptors (ppoll), without a set in the kernel. Allocates
 * nothing after construction. One thread at a time.
 */
public final class PollSet {
  /** Data, a connection or an end to read. */
  public static final int POLLIN = 1;

  /** Room to write, or the end of a connect. */
  public static final int POLLOUT = 4;

  /** An error, in SO_ERROR; always reported. */
  public static final int POLLERR = 8;

  /** Both directions have ended; always reported. */
  public static final int POLLHUP = 0x10;

  /** The number belongs to no open descriptor; always reported. */
  public static final int POLLNVAL = 0x20;

  /** The peer sends no more. */
  public static final int POLLRDHUP = 0x2000;

  /** Structure pollfd {int descriptor, short events, short happened}. */
  private static final long ENTRY_BYTES = 8;

  private final int capacity;
  private final MemorySegment memory;
  private final MemorySegment state = SocketLib.state();
  private final Timespec time = new Timespec();

  /**
   * Entries without descriptors.
   *
   * @param capacity number of entries, 1 to 1024
   */
  public PollSet(int capacity) {
    if (capacity < 1 || capacity > 1024) {
      throw new IllegalArgumentException("capacity " + capacity + " is not in 1..1024");
    }
    this.capacity = capacity;
    this.memory = SocketLib.memory(capacity * ENTRY_BYTES);
    for (int i = 0; i < capacity; i++) {
      set(i, -1, 0);
    }
  }

  /**
   * Sets an entry.
   *
   * @param fd negative: the entry is skipped
   * @param events such as {@code POLLIN | POLLRDHUP}
   */
  public void set(int index, int fd, int events) {
    Objects.checkIndex(index, capacity);
    memory.set(ValueLayout.JAVA_INT, index * ENTRY_BYTES, fd);
    memory.set(ValueLayout.JAVA_SHORT, index * ENTRY_BYTES + 4, (short) events);
    memory.set(ValueLayout.JAVA_SHORT, index * ENTRY_BYTES + 6, (short) 0);
  }

  /**
   * Waits for events of the first entries.
   *
   * @param count entries, 0 to the capacity
   * @param timeoutNs 0 or less does not wait
   * @return entries with events; 0 at the end of the time; or a negated errno
   */
  public int await(int count, long timeoutNs) {
    Objects.checkFromToIndex(0, count, capacity);
    MemorySegment limit = time.begin(timeoutNs);
    try {
      int outcome = (int) SocketLib.PPOLL.invokeExact(memory, (long) count, limit, 0L);
      if (outcome >= 0) {
        return outcome;
      }
      limit = time.rest();
      while (true) {
        int result =
            (int) SocketLib.PPOLL_CHECKED.invokeExact(state, memory, (long) count, limit, 0L);
        if (result >= 0) {
          return result;
        }
        int errno = LibC.errno(state);
        if (errno != Errno.EINTR) {
          return -errno;
        }
        limit = time.rest();
      }
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  /** What happened to an entry in the last wait, such as {@link #POLLIN}; 0 for nothing. */
  public int happened(int index) {
    Objects.checkIndex(index, capacity);
    return Short.toUnsignedInt(memory.get(ValueLayout.JAVA_SHORT, index * ENTRY_BYTES + 6));
  }
}
