package io.isle.spin.nic.core;

import java.lang.foreign.MemorySegment;

/** What the state machine has done. Calls must not call the state machine. */
public interface NicOutput {
  /**
   * A packet is taken: its bytes are to be copied to its slot.
   *
   * @param context slot of the context
   * @param slot in the packet memory of the context
   */
  void store(int context, int slot, MemorySegment memory, long offset, int length);

  /**
   * A task starts on its HPU, until {@link NicCore#complete}.
   *
   * @param task valid during the call
   */
  void dispatch(NicTask task);

  /** A message has ended without its tail handler. */
  void aborted(int context, int message, AbortReason reason);
}
