package io.isle.spin.nic.hpus;

import java.lang.foreign.MemorySegment;

/** Takes what HPUs have done, from {@link SpinRings#poll}. */
public interface HpuListener {
  /**
   * A handler has sent a frame.
   *
   * @param memory with a copy that cannot change, valid during the call
   * @param length 1 to 1536
   * @return whether it is taken; else it comes again with the next poll, and the end of the task
   *     with it
   */
  boolean sent(int hpu, MemorySegment memory, long offset, int length);

  /**
   * The task of an HPU has ended; all its frames are taken.
   *
   * @param end valid during the call
   */
  void ended(int hpu, TaskEnding end);

  /** A handler begins or ends to wait for the host. */
  void waits(int hpu, boolean waits);

  /**
   * A handler that waits for the host asks.
   *
   * @param length of the payload as the handler says, 0 to 4032
   */
  void requested(int hpu, int length);
}
