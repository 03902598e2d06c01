package io.isle.lib.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * How the kernel schedules the calling thread, which must be a platform thread. Threads that it
 * starts are scheduled as usual. Static, for any thread.
 */
public final class ThreadScheduling {
  private static final int SCHED_OTHER = 0;
  private static final int SCHED_FIFO = 1;
  private static final int SCHED_RESET_ON_FORK = 0x40000000;
  private static final int PRIO_PROCESS = 0;

  /** Linux takes it for the calling thread. */
  private static final int SELF = 0;

  private ThreadScheduling() {}

  /**
   * Lets the calling thread run before all that are not realtime: SCHED_FIFO. It needs root,
   * CAP_SYS_NICE or RLIMIT_RTPRIO.
   *
   * @param priority 1 to 99
   * @return 0 or a negated code, such as EPERM
   */
  public static int fifo(int priority) {
    if (priority < 1 || priority > 99) {
      throw new IllegalArgumentException("priority " + priority + " is not within 1 to 99");
    }
    return scheduler(SCHED_FIFO, priority);
  }

  /**
   * Sets the nice value of the calling thread; a lower one than it has needs root, CAP_SYS_NICE or
   * RLIMIT_NICE.
   *
   * @param value -20, which gets the most time, to 19
   * @return 0 or a negated code, such as EACCES
   */
  public static int nice(int value) {
    if (value < -20 || value > 19) {
      throw new IllegalArgumentException("nice value " + value + " is not within -20 to 19");
    }
    int reset = scheduler(SCHED_OTHER, 0);
    if (reset != 0) {
      return reset;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = LibC.callState(arena);
      int result = (int) LibC.SETPRIORITY.invokeExact(state, PRIO_PROCESS, SELF, value);
      return result == 0 ? 0 : -LibC.errno(state);
    } catch (Throwable e) {
      throw LibC.unexpected(e);
    }
  }

  private static int scheduler(int policy, int priority) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = LibC.callState(arena);
      MemorySegment param = arena.allocateFrom(ValueLayout.JAVA_INT, priority);
      int result =
          (int)
              LibC.SCHED_SETSCHEDULER.invokeExact(state, SELF, policy | SCHED_RESET_ON_FORK, param);
      return result == 0 ? 0 : -LibC.errno(state);
    } catch (Throwable e) {
      throw LibC.unexpected(e);
    }
  }
}
