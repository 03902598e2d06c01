package io.isle.fabric.udp;

import io.isle.lib.ffi.MemoryView;
import io.isle.lib.ffi.MessageBatch;
import java.lang.foreign.MemorySegment;

/**
 * A batch on the memory that the link passes to data calls: made anew only for another memory,
 * which a link has at its begin. One thread at a time.
 */
final class BoundBatch {
  private final int capacity;
  private MemorySegment memory = MemorySegment.NULL;
  private MessageBatch batch;

  /**
   * @param capacity number of messages
   */
  BoundBatch(int capacity) {
    this.capacity = capacity;
  }

  MessageBatch on(MemorySegment wanted) {
    if (batch == null || !MemoryView.isSame(wanted, memory)) {
      batch = new MessageBatch(wanted, capacity);
      memory = wanted;
    }
    return batch;
  }
}
