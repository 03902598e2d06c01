package io.isle.lib.leap;

/**
 * Rules of a reassembly. Immutable.
 *
 * @param magic {@link ChunkHeader#LEAP} or {@link ChunkHeader#ISLE}
 * @param frameBytes bytes of the largest frame, 1 to {@link Packets#MAX_BYTES}
 * @param fixed whether all frames have {@code frameBytes}
 * @param memoryBytes most bytes of all buffers, at least {@code frameBytes}
 * @param frameTimeoutNs time from the first chunk of a frame to its loss; without meaning where
 *     frames are repaired
 * @param repaired whether missing chunks are sent again: no frame is given up, and a peer that
 *     restarts has another path
 */
public record ReassemblyRules(
    int magic,
    int frameBytes,
    boolean fixed,
    long memoryBytes,
    long frameTimeoutNs,
    boolean repaired) {
  public ReassemblyRules {
    Packets.requireBytes(frameBytes);
    if (memoryBytes < frameBytes) {
      throw new IllegalArgumentException(
          "reassembly_bytes "
              + memoryBytes
              + " is below the "
              + frameBytes
              + " bytes of one frame");
    }
    if (frameTimeoutNs < 1) {
      throw new IllegalArgumentException(
          "a frame's timeout of " + frameTimeoutNs + " ns is below 1");
    }
  }

  /** Of dialect leap: packets of one size, losses after a time, a peer that may restart. */
  public static ReassemblyRules leap(int packetBytes, long memoryBytes, long frameTimeoutNs) {
    return new ReassemblyRules(
        ChunkHeader.LEAP, packetBytes, true, memoryBytes, frameTimeoutNs, false);
  }

  /** Of dialect isle: frames of several sizes, repaired until they are whole. */
  public static ReassemblyRules isle(int frameBytes, long memoryBytes) {
    return new ReassemblyRules(
        ChunkHeader.ISLE, frameBytes, false, memoryBytes, Long.MAX_VALUE, true);
  }
}
