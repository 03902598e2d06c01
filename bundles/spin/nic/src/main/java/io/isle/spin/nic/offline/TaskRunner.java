package io.isle.spin.nic.offline;

import java.lang.foreign.MemorySegment;

/**
 * The HPUs of one execution context. One thread at a time; a {@link RuntimeException} of a call
 * ends the run.
 */
public interface TaskRunner {
  /** Takes the frames that handlers send. */
  @FunctionalInterface
  interface SentFrames {
    /** Takes one frame; the memory is valid during the call, and cannot change. */
    void frame(MemorySegment memory, long offset, int length);
  }

  /** Copies a packet to its slot in the packet memory. */
  void store(int slot, MemorySegment memory, long offset, int length);

  /**
   * Runs a task to its end.
   *
   * @param frames takes all frames of the task, in their order, before the return
   */
  TaskEnd run(OfflineTask task, SentFrames frames);
}
