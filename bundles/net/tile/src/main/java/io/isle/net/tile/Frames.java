package io.isle.net.tile;

/** Numbers and addresses of the frames of a UMEM. Immutable. */
final class Frames {
  private final int count;
  private final int shift;
  private final int bytes;

  Frames(int count, int bytes) {
    this.count = count;
    this.bytes = bytes;
    this.shift = Integer.numberOfTrailingZeros(bytes);
  }

  int count() {
    return count;
  }

  int bytes() {
    return bytes;
  }

  /** Address of the first byte of a frame. */
  long address(int frame) {
    return (long) frame << shift;
  }

  /** The frame at an address; -1 for an address outside of the UMEM. */
  int at(long address) {
    return address >= 0 && address >>> shift < count ? (int) (address >>> shift) : -1;
  }

  /** The frame of some bytes; -1 for bytes outside of the UMEM or of more than one frame. */
  int at(long address, int length) {
    return length >= 0 && (address & bytes - 1) + length <= bytes ? at(address) : -1;
  }
}
