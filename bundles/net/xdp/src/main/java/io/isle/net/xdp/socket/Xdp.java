package io.isle.net.xdp.socket;

/** Numbers of AF_XDP, under their names in Linux without the prefix. */
final class Xdp {
  static final int SOL = 283;

  static final int MMAP_OFFSETS = 1;
  static final int RX_RING = 2;
  static final int TX_RING = 3;
  static final int UMEM_REG = 4;
  static final int UMEM_FILL_RING = 5;
  static final int UMEM_COMPLETION_RING = 6;
  static final int STATISTICS = 7;
  static final int OPTIONS = 8;
  static final int MAX_TX_SKB_BUDGET = 9;

  static final int SHARED_UMEM = 1;
  static final int COPY = 2;
  static final int ZEROCOPY = 4;
  static final int USE_NEED_WAKEUP = 8;

  static final int OPTIONS_ZEROCOPY = 1;

  /** Structure xdp_mmap_offsets: rx, tx, fill, completion, each four u64. */
  static final int OFFSETS_BYTES = 128;

  static final int OFFSETS_OF_RING = 32;

  private Xdp() {}
}
