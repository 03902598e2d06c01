package io.isle.fabric.ring.isle;

import io.isle.lib.leap.Control;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The last division of layers that a link has passed on. A neighbour that comes back with another
 * session gets it before all packets. One thread at a time. Allocates nothing.
 */
final class LastResize {
  private final MemorySegment message;
  private boolean kept;

  LastResize(Arena arena) {
    message = arena.allocate(Control.MESSAGE_BYTES, 8);
  }

  /** A control message is sent. */
  void look(MemorySegment from, long offset) {
    int type = from.get(ValueLayout.JAVA_BYTE, offset);
    if (type == Control.RESIZE_LAYERS || type == Control.RESIZE_CHAIN) {
      MemorySegment.copy(from, offset, message, 0, Control.MESSAGE_BYTES);
      kept = true;
    }
  }

  /** Whether there is one. */
  boolean isKept() {
    return kept;
  }

  /** The message of 162 bytes. */
  MemorySegment message() {
    return message;
  }
}
