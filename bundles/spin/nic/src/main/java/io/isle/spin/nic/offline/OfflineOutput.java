package io.isle.spin.nic.offline;

import java.lang.foreign.MemorySegment;

/** What comes out of a run. Memory is valid during the call. */
public interface OfflineOutput {
  /** A handler has sent a frame. */
  void sent(OfflineTask task, MemorySegment memory, long offset, int length);

  /** A packet matches no rules. */
  void unmatched(MemorySegment memory, long offset, int length);

  /** A handler has not returned. */
  void trapped(OfflineTask task, TaskTrap trap);

  /**
   * A message has ended without its tail handler.
   *
   * @param message id, unsigned
   * @param atEnd whether the capture has no further packet; else there was no room for the next
   */
  void aborted(int message, boolean atEnd);
}
