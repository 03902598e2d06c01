package io.isle.lib.tile;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Where each frame of a UMEM is: one byte a frame, written by the tile before the frame changes
 * hands. Frames that only the kernel has are in no ring that a process can read: the ledger alone
 * knows them. New memory is zero: all frames are free. One writer; stores keep their order. No
 * allocation.
 */
public final class Ledger {
  /** Nobody has the frame. */
  public static final byte FREE = 0;

  /** The kernel has the frame to receive into, or has received into it. */
  public static final byte FILL = 1;

  /** The tile looks at the received frame. */
  public static final byte RX = 2;

  /** A line of an RX link refers to the frame. */
  public static final byte LINK = 3;

  /** The kernel has the frame to send, or has sent it. */
  public static final byte TX = 4;

  private static final VarHandle BYTE = ValueLayout.JAVA_BYTE.varHandle();

  /** Stays mapped while the ledger is in use. */
  final MemorySegment memory;

  private final long base;
  private final int frames;

  /**
   * The ledger in {@code memory}.
   *
   * @param frames number of frames, 1 or more
   * @throws IllegalArgumentException if the memory has fewer bytes than frames
   */
  public Ledger(MemorySegment memory, int frames) {
    if (frames < 1 || memory.byteSize() < frames) {
      throw new IllegalArgumentException(
          "a ledger of " + frames + " frames does not fit in " + memory.byteSize() + " bytes");
    }
    this.memory = memory;
    this.base = RawMemory.address(memory, 1);
    this.frames = frames;
  }

  /** Number of frames. */
  public int frames() {
    return frames;
  }

  /**
   * State of a frame, 0 to {@link #frames} - 1, which the caller has checked; a value of no
   * constant if the memory is broken. Any thread.
   */
  public byte state(int frame) {
    return (byte) BYTE.getAcquire(RawMemory.ALL, base + frame);
  }

  /** Writes the state of a frame, behind all earlier stores. */
  public void state(int frame, byte state) {
    BYTE.setRelease(RawMemory.ALL, base + frame, state);
  }

  /** States of all frames, as they are now. */
  public byte[] states() {
    byte[] states = new byte[frames];
    MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, 0, states, 0, frames);
    return states;
  }

  /**
   * Frames in a state, the highest first.
   *
   * @param into room for all frames
   * @return number of frames
   */
  public int list(byte state, int[] into) {
    int count = 0;
    for (int frame = frames - 1; frame >= 0; frame--) {
      if (state(frame) == state) {
        into[count++] = frame;
      }
    }
    return count;
  }

  /** Number of frames in a state, frame by frame; any thread. */
  public int count(byte state) {
    int count = 0;
    for (int frame = 0; frame < frames; frame++) {
      if (state(frame) == state) {
        count++;
      }
    }
    return count;
  }
}
