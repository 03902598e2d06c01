package io.isle.lib.tango;

/**
 * A new link.
 *
 * @param depth lines of the mcache, a power of two from 128 to 16777216
 * @param mtu most bytes of a payload, 1 to 65535
 * @param burst payloads in the making at a time, 1 to 65536
 * @param seq0 first sequence number, unsigned
 * @param fseqs number of fseqs, 0 to {@link #MOST_FSEQS}
 */
public record LinkPlan(int depth, int mtu, int burst, long seq0, int fseqs) {
  /** Most fseqs of a file. */
  public static final int MOST_FSEQS = 1024;

  /**
   * @throws IllegalArgumentException naming the value and the limit
   */
  public LinkPlan {
    long ignored = Mcache.footprint(depth, 0);
    long data = Dcache.dataBytes(mtu, depth, burst);
    if (data > Dcache.MOST_BYTES) {
      throw new IllegalArgumentException(
          "depth "
              + depth
              + " with mtu "
              + mtu
              + " and burst "
              + burst
              + " needs "
              + data
              + " bytes of data, and chunks reach "
              + Dcache.MOST_BYTES);
    }
    if (fseqs < 0 || fseqs > MOST_FSEQS) {
      throw new IllegalArgumentException(
          "number of fseqs " + fseqs + " is not in 0.." + MOST_FSEQS);
    }
  }

  long mcacheBytes() {
    return Mcache.footprint(depth, 0);
  }

  long dataBytes() {
    return Dcache.dataBytes(mtu, depth, burst);
  }

  long dcacheBytes() {
    return Dcache.footprint(dataBytes(), 0);
  }
}
