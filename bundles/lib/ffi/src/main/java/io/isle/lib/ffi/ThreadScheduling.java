package io.isle.lib.ffi;

import io.isle.api.base.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The kernel's scheduling of the calling thread, which must be a platform thread. Threads that this
 * thread starts get normal scheduling. Static methods, for any thread.
 */
public final class ThreadScheduling {
  private static final int SCHED_OTHER = 0;
  private static final int SCHED_FIFO = 1;
  private static final int SCHED_RESET_ON_FORK = 0x40000000;
  private static final int PRIO_PROCESS = 0;

  private static final boolean X86 = System.getProperty("os.arch").equals("amd64");
  private static final long SYS_SETATTR = X86 ? 314 : 274;
  private static final long SYS_GETATTR = X86 ? 315 : 275;

  /** Of struct sched_attr in its first version. */
  private static final int ATTR_BYTES = 48;

  private static final int ATTR_POLICY = 4;
  private static final int ATTR_FLAGS = 8;
  private static final int ATTR_RUNTIME = 24;
  private static final long FLAG_RESET_ON_FORK = 1;

  private static final long MIN_SLICE_NS = 100_000;
  private static final long MAX_SLICE_NS = 100_000_000;

  /** Linux takes it for the calling thread. */
  private static final int SELF = 0;

  private ThreadScheduling() {}

  /**
   * Schedules the calling thread before all ordinary threads (SCHED_FIFO). Requires root,
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
   * Sets the nice value of the calling thread. A lower value than the current one requires root,
   * CAP_SYS_NICE or RLIMIT_NICE.
   *
   * @param value -20 (most time) to 19
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

  /**
   * Sets the time slice of the calling thread among ordinary threads. The slice does not change the
   * share of processor time; a thread with a shorter slice runs sooner after a wake, because
   * threads with longer slices are interrupted. No effect before Linux 6.12.
   *
   * @param ns 100 us to 100 ms; 0 for the default
   * @return 0 or a negated code, such as EPERM if system calls are filtered
   */
  public static int slice(long ns) {
    if (ns != 0 && (ns < MIN_SLICE_NS || ns > MAX_SLICE_NS)) {
      throw new IllegalArgumentException(
          "slice of %d ns is not within %d to %d".formatted(ns, MIN_SLICE_NS, MAX_SLICE_NS));
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = LibC.callState(arena);
      MemorySegment attr = arena.allocate(ATTR_BYTES, Long.BYTES);
      long result =
          (long) LibC.SCHED_GETATTR.invokeExact(state, SYS_GETATTR, SELF, attr, ATTR_BYTES, 0);
      if (result != 0) {
        return -LibC.errno(state);
      }
      if (attr.get(ValueLayout.JAVA_INT, ATTR_POLICY) != SCHED_OTHER) {
        return -Errno.EINVAL;
      }
      attr.set(ValueLayout.JAVA_INT, 0, ATTR_BYTES);
      attr.set(ValueLayout.JAVA_LONG, ATTR_FLAGS, FLAG_RESET_ON_FORK);
      attr.set(ValueLayout.JAVA_LONG, ATTR_RUNTIME, ns);
      result = (long) LibC.SCHED_SETATTR.invokeExact(state, SYS_SETATTR, SELF, attr, 0);
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
