package io.isle.lib.ffi;

import io.isle.api.base.Errno;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * The events that a wait of {@link Epoll} returned. Waits that succeed allocate nothing. One thread
 * at a time.
 */
public final class EpollEvents {
  /** Data, a connection or an end to read. */
  public static final int EPOLLIN = 1;

  /** Room to write, or the end of a connect. */
  public static final int EPOLLOUT = 4;

  /** An error, in SO_ERROR; always reported. */
  public static final int EPOLLERR = 8;

  /** Both directions have ended; always reported. */
  public static final int EPOLLHUP = 0x10;

  /** The peer sends no more. */
  public static final int EPOLLRDHUP = 0x2000;

  /** One event, then none until a modify. */
  public static final int EPOLLONESHOT = 1 << 30;

  /** Events only for what changes. */
  public static final int EPOLLET = 1 << 31;

  private static final boolean PACKED = System.getProperty("os.arch").equals("amd64");

  /** Structure epoll_event {u32 events, u64 token}, packed on one architecture alone. */
  static final long TOKEN = PACKED ? 4 : 8;

  private static final long EVENT_BYTES = TOKEN + 8;

  /** The same on all architectures; since Linux 5.11. */
  private static final long SYS_EPOLL_PWAIT2 = 441;

  private final int capacity;
  private final MemorySegment memory;
  private final MemorySegment state = SocketLib.state();
  private final Timespec time = new Timespec();
  private boolean nanoseconds;
  private int count;

  /**
   * @param capacity most events of one wait, 1 to 65536
   */
  public EpollEvents(int capacity) {
    this(capacity, true);
  }

  /**
   * @param nanoseconds false: waits as on a kernel whose limits are milliseconds
   */
  EpollEvents(int capacity, boolean nanoseconds) {
    if (capacity < 1 || capacity > 65536) {
      throw new IllegalArgumentException("capacity " + capacity + " is not in 1..65536");
    }
    this.capacity = capacity;
    this.memory = SocketLib.memory(capacity * EVENT_BYTES);
    this.nanoseconds = nanoseconds;
  }

  /** Events of the last wait. */
  public int count() {
    return count;
  }

  /** The token of the descriptor of an event. */
  public long token(int index) {
    Objects.checkIndex(index, count);
    return memory.get(ValueLayout.JAVA_LONG_UNALIGNED, index * EVENT_BYTES + TOKEN);
  }

  /** What happened, such as {@code EPOLLIN | EPOLLRDHUP}. */
  public int events(int index) {
    Objects.checkIndex(index, count);
    return memory.get(ValueLayout.JAVA_INT, index * EVENT_BYTES);
  }

  int await(int epoll, long timeoutNs) {
    count = 0;
    MemorySegment limit = time.begin(timeoutNs);
    try {
      int first = nanoseconds ? exact(epoll, limit) : coarse(epoll);
      if (first >= 0) {
        count = first;
        return first;
      }
      limit = time.rest();
      while (true) {
        int result = nanoseconds ? exactChecked(epoll, limit) : coarseChecked(epoll);
        if (result >= 0) {
          count = result;
          return result;
        }
        int errno = LibC.errno(state);
        if (errno == SocketErrors.ENOSYS && nanoseconds) {
          nanoseconds = false;
        } else if (errno != Errno.EINTR) {
          return -errno;
        }
        limit = time.rest();
      }
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }

  private int exact(int epoll, MemorySegment limit) throws Throwable {
    return (int)
        (long)
            SocketLib.EPOLL_PWAIT2.invokeExact(
                SYS_EPOLL_PWAIT2, epoll, memory, capacity, limit, 0L, 0L);
  }

  private int exactChecked(int epoll, MemorySegment limit) throws Throwable {
    return (int)
        (long)
            SocketLib.EPOLL_PWAIT2_CHECKED.invokeExact(
                state, SYS_EPOLL_PWAIT2, epoll, memory, capacity, limit, 0L, 0L);
  }

  private int coarse(int epoll) throws Throwable {
    return (int) SocketLib.EPOLL_WAIT.invokeExact(epoll, memory, capacity, time.milliseconds());
  }

  private int coarseChecked(int epoll) throws Throwable {
    return (int)
        SocketLib.EPOLL_WAIT_CHECKED.invokeExact(
            state, epoll, memory, capacity, time.milliseconds());
  }
}
