package io.isle.fabric.ring.isle;

import io.isle.lib.ffi.MemoryView;
import io.isle.lib.leap.isle.IsleFrame;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;

/**
 * The memory of a receiving call, which a packet enters without a stay in the queue. One thread at
 * a time. Allocates nothing, but for a rare view of the memory.
 */
final class Aim {
  /** Packets in other memory between two views, so that a view is next to nothing a packet. */
  private static final int EACH = 1024;

  /** A segment with its bytes for checksums. */
  private record View(MemorySegment memory, ByteBuffer bytes) {}

  private final int packetBytes;
  private MemorySegment memory;
  private long offset;

  /** Whether the packet lies in the memory, but is not delivered yet. */
  private boolean placed;

  private boolean served;

  /** Does not keep memory of tenants who are gone. */
  private WeakReference<View> view = new WeakReference<>(null);

  /** Packets in other memory since the last view. */
  private int others;

  Aim(int packetBytes) {
    this.packetBytes = packetBytes;
  }

  /** A call begins to wait for a packet. */
  void begin(MemorySegment into, long at) {
    memory = into;
    offset = at;
  }

  /** The call does not wait any more; whether a packet has come. */
  boolean end() {
    boolean got = served;
    close();
    served = false;
    return got;
  }

  /** Whether a call waits that has no packet. */
  boolean isOpen() {
    return memory != null && !served;
  }

  /** The memory was closed: the call gets no packet. */
  void close() {
    memory = null;
    placed = false;
  }

  boolean isServed() {
    return served;
  }

  MemorySegment memory() {
    return memory;
  }

  /** Offset of the packet in the memory. */
  long offset() {
    return offset;
  }

  /**
   * All bytes of the memory, for a checksum.
   *
   * @return null if none is at hand: a call with other memory than the last ones has none
   */
  ByteBuffer bytes() {
    if (!memory.isNative() || memory.byteSize() > Integer.MAX_VALUE) {
      return null;
    }
    View last = view.get();
    if (last != null) {
      if (MemoryView.isSame(memory, last.memory())) {
        return last.bytes();
      }
      if (++others < EACH) {
        return null;
      }
    }
    others = 0;
    View made = new View(memory, memory.asByteBuffer());
    view = new WeakReference<>(made);
    return made.bytes();
  }

  /** The next packet that is delivered lies in the memory. */
  void placed() {
    placed = true;
  }

  /**
   * Delivers the packet that a payload stands for.
   *
   * @param kind as of {@link IsleFrame}
   * @return false if the memory was closed meanwhile
   */
  boolean serve(int kind, MemorySegment frame, long payload, int length) {
    try {
      if (!placed) {
        ReceiveQueue.unpack(kind, frame, payload, length, memory, offset, packetBytes);
      }
      placed = false;
      served = true;
      return true;
    } catch (IllegalStateException e) {
      close();
      return false;
    }
  }
}
