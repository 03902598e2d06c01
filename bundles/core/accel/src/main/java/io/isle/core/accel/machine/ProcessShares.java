package io.isle.core.accel.machine;

/**
 * What contexts' processes have in flight on a device with several: at most a share each. Fixed
 * storage. Every method that may change who has room says so.
 */
final class ProcessShares {
  /** The device's own process. */
  static final int OWN = 0;

  private final int[] running;
  private final byte[] process;
  private int share = Integer.MAX_VALUE;

  /** Contexts that are not on the device's own process. */
  private int others;

  /**
   * @param contexts indices are below this
   * @param processes numbers of processes are below this, at most 127
   */
  ProcessShares(int contexts, int processes) {
    running = new int[processes];
    process = new byte[contexts];
  }

  /** From now on a process has at most so many in flight, while there are several. */
  boolean share(int most) {
    boolean changed = share != most && others > 0;
    share = most;
    return changed;
  }

  /** Whether there are several. */
  boolean isDivided() {
    return others > 0;
  }

  /** Whether the context's process may have one more in flight. */
  boolean hasRoom(int c) {
    return others == 0 || running[process[c]] < share;
  }

  /** A context with nothing in flight is on another process from now on. */
  boolean move(int c, int to) {
    int from = process[c];
    if (from == to) {
      return false;
    }
    others += (to == OWN ? 0 : 1) - (from == OWN ? 0 : 1);
    process[c] = (byte) to;
    return true;
  }

  boolean started(int c) {
    return ++running[process[c]] == share && others > 0;
  }

  boolean left(int c) {
    return running[process[c]]-- == share && others > 0;
  }
}
