package io.isle.fabric.ring.node;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Packets that arrived during a resize, before its acknowledgement. The receiving thread's; {@link
 * #isEmpty} by any thread.
 */
final class KeptPackets {
  /** Most bytes that are kept; beyond them packets stay in the link. */
  static final long MOST_BYTES = 64L << 20;

  private final Deque<MemorySegment> packets = new ArrayDeque<>();
  private long bytes;
  private volatile boolean empty = true;

  boolean isEmpty() {
    return empty;
  }

  boolean hasRoom(long more) {
    return bytes + more <= MOST_BYTES;
  }

  void add(MemorySegment packet, long length) {
    packets.add(MemorySegment.ofArray(packet.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE)));
    bytes += length;
    empty = false;
  }

  /** The next packet, which stays. */
  MemorySegment peek() {
    return packets.peek();
  }

  void remove() {
    bytes -= packets.remove().byteSize();
    empty = packets.isEmpty();
  }
}
