package io.isle.lib.tile;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The kernel's side of the four rings of a port, in plain memory: a port without a socket for
 * captured frames, warm-up, measurements and tests. Frames go the same way as in the kernel: a
 * received frame needs an entry of FILL and room in RX, a sent one needs room in COMPLETION. One
 * thread. No allocation after construction.
 */
public final class MemoryKernel {
  private static final int HEADROOM = 256;
  private static final long ENTRIES = 192;

  private final MemorySegment umem;
  private final int frameBytes;
  private final MemorySegment memory;
  private final RingLayout[] layouts = new RingLayout[4];
  private final KernelRing fill;
  private final KernelRing rx;
  private final KernelRing tx;
  private final KernelRing completion;
  private long fillEmpty;
  private long rxFull;

  /** Takes frames that are sent. */
  @FunctionalInterface
  public interface Sent {
    /** Takes one frame, which lies in the UMEM during the call. */
    void frame(MemorySegment umem, long offset, int length);
  }

  /**
   * New rings without entries.
   *
   * @param umem frames of {@code frameBytes} each
   * @param frameBytes a power of two from 2048
   * @param rxQueue entries of RX, a power of two; FILL has twice as many
   * @param txQueue entries of TX and COMPLETION, a power of two
   */
  public MemoryKernel(Arena arena, MemorySegment umem, int frameBytes, int rxQueue, int txQueue) {
    this.umem = umem;
    this.frameBytes = frameBytes;
    long at = 0;
    int[] sizes = {rxQueue * 2, rxQueue, txQueue, txQueue};
    for (int i = 0; i < sizes.length; i++) {
      int bytes = i == 0 || i == 3 ? RingLayout.ADDRESS_BYTES : RingLayout.DESCRIPTOR_BYTES;
      layouts[i] = new RingLayout(at, at + 64, at + 128, at + ENTRIES, sizes[i], bytes);
      at = (layouts[i].bytes() + 63) / 64 * 64;
    }
    memory = arena.allocate(at, 64);
    fill = new KernelRing(memory, layouts[0]);
    rx = new KernelRing(memory, layouts[1]);
    tx = new KernelRing(memory, layouts[2]);
    completion = new KernelRing(memory, layouts[3]);
  }

  /** Memory of all four rings. */
  public MemorySegment memory() {
    return memory;
  }

  /** Layout of FILL in {@link #memory}. */
  public RingLayout fill() {
    return layouts[0];
  }

  /** Layout of RX in {@link #memory}. */
  public RingLayout rx() {
    return layouts[1];
  }

  /** Layout of TX in {@link #memory}. */
  public RingLayout tx() {
    return layouts[2];
  }

  /** Layout of COMPLETION in {@link #memory}. */
  public RingLayout completion() {
    return layouts[3];
  }

  /** Frames that were lost because FILL was empty. */
  public long fillEmpty() {
    return fillEmpty;
  }

  /** Frames that were lost because RX was full. */
  public long rxFull() {
    return rxFull;
  }

  /**
   * Takes the oldest frame of FILL.
   *
   * @return address of the frame; -1 without one
   */
  public long takeFill() {
    if (fill.available(1) == 0) {
      return -1;
    }
    long address = fill.address(0);
    fill.release(1);
    return address;
  }

  /**
   * Enters a received frame into RX.
   *
   * @param address of the first byte in the UMEM
   * @return whether RX had room
   */
  public boolean enterRx(long address, int length) {
    if (rx.free(1) == 0) {
      return false;
    }
    rx.descriptor(0, address, length);
    rx.publish(1);
    return true;
  }

  /** Frames that can be received now without a loss. */
  public int room() {
    return Math.min(rx.free(rx.size()), fill.available(fill.size()));
  }

  /** Whether the tile has taken all received frames. */
  public boolean isDrained() {
    return rx.free(rx.size()) == rx.size();
  }

  /** Most bytes of a received frame, for that many of a frame of the UMEM. */
  public static int mostBytes(int frameBytes) {
    return frameBytes - HEADROOM;
  }

  /**
   * Receives a frame: copies the bytes and enters the frame into RX. Lost without an entry of FILL
   * or room in RX, and counted.
   *
   * @param length bytes of the frame, at most those of a frame less 256
   * @return whether the frame was received
   */
  public boolean receive(MemorySegment bytes, long offset, int length) {
    if (rx.free(1) == 0) {
      rxFull++;
      return false;
    }
    long frame = takeFill();
    if (frame < 0) {
      fillEmpty++;
      return false;
    }
    long address = (frame & -frameBytes) + HEADROOM;
    MemorySegment.copy(bytes, offset, umem, address, length);
    return enterRx(address, length);
  }

  /**
   * Sends frames of TX, oldest first, and completes them.
   *
   * @param limit most frames
   * @return number of sent frames
   */
  public int send(Sent sent, int limit) {
    int count = Math.min(limit, Math.min(tx.available(limit), completion.free(limit)));
    for (int i = 0; i < count; i++) {
      long address = tx.address(i);
      sent.frame(umem, address, tx.length(i));
      completion.address(i, address);
    }
    tx.release(count);
    completion.publish(count);
    return count;
  }

  /**
   * Takes the oldest frame of TX without its completion.
   *
   * @return address of the frame; -1 without one
   */
  public long takeTx() {
    if (tx.available(1) == 0) {
      return -1;
    }
    long address = tx.address(0);
    tx.release(1);
    return address;
  }

  /** Completes a taken frame; false without room in COMPLETION. */
  public boolean complete(long address) {
    if (completion.free(1) == 0) {
      return false;
    }
    completion.address(0, address);
    completion.publish(1);
    return true;
  }
}
