package io.isle.fabric.ring.isle;

import io.isle.lib.leap.ControlWriter;
import io.isle.lib.leap.isle.IsleFrame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Packets that arrived and wait for a receiving call, in order. A control message is kept as the
 * packet that it stands for. One thread at a time. Allocates nothing once each slot was used.
 */
final class ReceiveQueue {
  private final Arena arena;
  private final int packetBytes;
  private final int places;
  private final MemorySegment[] memory;
  private final boolean[] control;
  private final int[] order;
  private final int[] free;
  private int freeCount;
  private int from;
  private int count;

  ReceiveQueue(IsleSpec spec, Arena arena) {
    this.arena = arena;
    packetBytes = spec.packetBytes();
    places = spec.frames();
    memory = new MemorySegment[places];
    control = new boolean[places];
    order = new int[places];
    free = new int[places];
    for (int i = 0; i < places; i++) {
      free[i] = places - 1 - i;
    }
    freeCount = places;
  }

  boolean isEmpty() {
    return count == 0;
  }

  int count() {
    return count;
  }

  /** Packets that there is room for. */
  int room() {
    return freeCount;
  }

  /** Adds the payload of a frame; there must be room. */
  void put(int kind, MemorySegment frame, long at, int length) {
    int slot = free[--freeCount];
    if (memory[slot] == null) {
      memory[slot] = arena.allocate(packetBytes, 64);
    }
    unpack(kind, frame, at, length, memory[slot], 0, packetBytes);
    control[slot] = kind == IsleFrame.CONTROL;
    int last = from + count;
    order[last < places ? last : last - places] = slot;
    count++;
  }

  /** Writes the packet that a payload stands for. */
  static void unpack(
      int kind,
      MemorySegment frame,
      long at,
      int length,
      MemorySegment into,
      long offset,
      int packetBytes) {
    if (kind == IsleFrame.CONTROL) {
      int ignored = ControlWriter.packet(into, offset, packetBytes, frame, at);
    } else {
      MemorySegment.copy(frame, at, into, offset, length);
    }
  }

  /** The next packet, which stays. */
  MemorySegment peek() {
    return memory[order[from]];
  }

  /** Whether the next packet is a control message. */
  boolean isControl() {
    return control[order[from]];
  }

  void remove() {
    free[freeCount++] = order[from];
    from = from + 1 < places ? from + 1 : 0;
    count--;
  }
}
