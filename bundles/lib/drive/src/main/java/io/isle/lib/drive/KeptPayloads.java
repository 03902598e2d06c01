package io.isle.lib.drive;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * Payloads of the packets on their way, so that a lost packet can be sent again and a reply can be
 * compared. The sender keeps a payload before its packet is sent; the receiver may use its memory
 * once the reply is there.
 */
public final class KeptPayloads implements AutoCloseable {
  private final int places;
  private final int payloadBytes;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;

  /**
   * @param plan of the drive
   * @param payloadBytes bytes of each payload, 1 or more
   */
  public KeptPayloads(DrivePlan plan, int payloadBytes) {
    this.payloadBytes = payloadBytes;
    places = RepairWindow.places(plan.window(), plan.positions());
    memory = arena.allocate((long) places * payloadBytes, Long.BYTES);
  }

  /** Bytes of memory that the drive of a plan keeps. */
  public static long bytes(DrivePlan plan, int payloadBytes) {
    return (long) RepairWindow.places(plan.window(), plan.positions()) * payloadBytes;
  }

  /** Number of places: most packets on their way. */
  public int places() {
    return places;
  }

  void keep(long index, MemorySegment from, long offset) {
    MemorySegment.copy(from, offset, memory, offset(index), payloadBytes);
    VarHandle.releaseFence();
  }

  /** The memory of all places. */
  public MemorySegment memory() {
    VarHandle.acquireFence();
    return memory;
  }

  /** Begin of the payload of a packet, by its index. */
  public long offset(long index) {
    return index % places * payloadBytes;
  }

  /** No drive may use the memory any more. */
  @Override
  public void close() {
    arena.close();
  }
}
