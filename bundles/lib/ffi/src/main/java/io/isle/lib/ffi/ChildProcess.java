package io.isle.lib.ffi;

import io.isle.api.base.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Signals to children of this process, and to no other process: the id of an ended process may
 * belong to another process. Thread-safe.
 */
public final class ChildProcess {
  private static final int SIGKILL = 9;
  private static final int SIGCONT = 18;
  private static final int SIGSTOP = 19;

  /** The same on every architecture. */
  private static final long PIDFD_SEND_SIGNAL = 424;

  private static final long PIDFD_OPEN = 434;

  private static final int P_PIDFD = 3;
  private static final int WNOHANG = 1;
  private static final int WSTOPPED = 2;
  private static final int WEXITED = 4;
  private static final int WCONTINUED = 8;
  private static final int WNOWAIT = 0x1000000;
  private static final int ESRCH = 3;
  private static final int ECHILD = 10;

  /** siginfo_t, and where it has the number of the process; 0 when nothing happened to any. */
  private static final int INFO_BYTES = 128;

  private static final int INFO_PID = 12;

  private ChildProcess() {}

  /**
   * Kills a child and waits for its end.
   *
   * @return false if no child with this id lives
   */
  public static boolean kill(long pid) {
    return signal((int) pid, SIGKILL, WEXITED);
  }

  /**
   * Stops a child and waits until all its threads have stopped, or the child has ended.
   *
   * @return false if no child with this id lives
   */
  public static boolean stop(long pid) {
    return signal((int) pid, SIGSTOP, WSTOPPED | WEXITED);
  }

  /**
   * Lets a child that was stopped go on.
   *
   * @return false if no child with this id lives
   */
  public static boolean resume(long pid) {
    return signal((int) pid, SIGCONT, WCONTINUED | WEXITED);
  }

  private static boolean signal(int pid, int signal, int until) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = LibC.callState(arena);
      int process = (int) (long) LibC.PIDFD_OPEN.invokeExact(state, PIDFD_OPEN, (long) pid, 0L);
      if (process < 0) {
        return none("pidfd_open " + pid, state);
      }
      try {
        return signal(arena, process, signal, until);
      } finally {
        int ignored = (int) LibC.CLOSE.invokeExact(state, process);
      }
    } catch (RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw LibC.unexpected(e);
    }
  }

  /** The descriptor stays with its process, whoever gets the number: what is proved of it holds. */
  private static boolean signal(Arena arena, int process, int signal, int until) throws Throwable {
    MemorySegment info = arena.allocate(INFO_BYTES, 8);
    if (!await(arena, info, process, WEXITED | WNOHANG)
        || info.get(ValueLayout.JAVA_INT, INFO_PID) != 0) {
      return false;
    }
    MemorySegment state = LibC.callState(arena);
    if ((long)
            LibC.PIDFD_SEND_SIGNAL.invokeExact(
                state, PIDFD_SEND_SIGNAL, (long) process, (long) signal, 0L, 0L)
        != 0) {
      return none("pidfd_send_signal", state);
    }
    // one that is reaped meanwhile has ended: that will do
    boolean ignored = await(arena, info, process, until);
    return true;
  }

  /** False for what says that there is no such process; EINVAL and ENOENT: a thread's number. */
  private static boolean none(String call, MemorySegment state) {
    return switch (LibC.errno(state)) {
      case ESRCH, Errno.EINVAL, Errno.ENOENT -> false;
      default -> throw LibC.failure(call, state);
    };
  }

  /** Waits for a change of a child and leaves it to be reaped; false if it is no child of ours. */
  private static boolean await(Arena arena, MemorySegment info, int process, int what)
      throws Throwable {
    MemorySegment state = LibC.callState(arena);
    int result;
    do {
      result = (int) LibC.WAITID.invokeExact(state, P_PIDFD, process, info, what | WNOWAIT);
    } while (result != 0 && LibC.errno(state) == Errno.EINTR);
    if (result != 0 && LibC.errno(state) != ECHILD) {
      throw LibC.failure("waitid", state);
    }
    return result == 0;
  }
}
