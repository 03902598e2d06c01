package io.isle.lib.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The bond of this process to the process that started it. Thread-safe. */
public final class ParentProcess {
  private static final int PR_SET_PDEATHSIG = 1;
  private static final long SIGKILL = 9;

  private ParentProcess() {}

  /**
   * From now on, the kernel kills this process, even a stopped one, at the end of the thread that
   * started it, and so at the end of the parent process. Lasts as long as the calling thread. A
   * parent that has ended before this call is not noticed.
   */
  public static void endsThisProcess() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = LibC.callState(arena);
      if ((int) LibC.PRCTL.invokeExact(state, PR_SET_PDEATHSIG, SIGKILL) != 0) {
        throw LibC.failure("prctl PR_SET_PDEATHSIG", state);
      }
    } catch (Throwable e) {
      throw SocketLib.failed(e);
    }
  }
}
