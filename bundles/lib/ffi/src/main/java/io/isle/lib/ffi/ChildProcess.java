package io.isle.lib.ffi;

import io.isle.api.base.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Signals to children of this process, and to no others: the number of a process that has ended may
 * be somebody else's by now. Thread-safe.
 */
public final class ChildProcess {
  private static final int SIGKILL = 9;
  private static final int SIGSTOP = 19;
  private static final int P_PID = 1;
  private static final int WNOHANG = 1;
  private static final int WSTOPPED = 2;
  private static final int WEXITED = 4;
  private static final int WNOWAIT = 0x1000000;
  private static final int ECHILD = 10;

  /** siginfo_t, and where it has the number of the process; 0 when nothing happened to any. */
  private static final int INFO_BYTES = 128;

  private static final int INFO_PID = 12;

  private ChildProcess() {}

  /**
   * Kills a child and waits until it has ended.
   *
   * @return false if no child of that number lives
   */
  public static boolean kill(long pid) {
    return signal((int) pid, SIGKILL, WEXITED);
  }

  /**
   * Stops a child and waits until all its threads stand still, or it has ended.
   *
   * @return false if no child of that number lives
   */
  public static boolean stop(long pid) {
    return signal((int) pid, SIGSTOP, WSTOPPED | WEXITED);
  }

  private static boolean signal(int pid, int signal, int until) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment info = arena.allocate(INFO_BYTES, 8);
      if (!await(arena, info, pid, WEXITED | WNOHANG)
          || info.get(ValueLayout.JAVA_INT, INFO_PID) != 0) {
        return false;
      }
      MemorySegment state = LibC.callState(arena);
      if ((int) LibC.KILL.invokeExact(state, pid, signal) != 0) {
        throw LibC.failure("kill " + pid, state);
      }
      // one that is reaped meanwhile has ended: that will do
      boolean ignored = await(arena, info, pid, until);
      return true;
    } catch (RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw LibC.unexpected(e);
    }
  }

  /** Waits for a change of a child and leaves it to be reaped; false if there is no such child. */
  private static boolean await(Arena arena, MemorySegment info, int pid, int what)
      throws Throwable {
    MemorySegment state = LibC.callState(arena);
    int result;
    do {
      result = (int) LibC.WAITID.invokeExact(state, P_PID, pid, info, what | WNOWAIT);
    } while (result != 0 && LibC.errno(state) == Errno.EINTR);
    if (result != 0 && LibC.errno(state) != ECHILD) {
      throw LibC.failure("waitid " + pid, state);
    }
    return result == 0;
  }
}
