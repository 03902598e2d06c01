package io.isle.net.xdp.attach;

/** Messages of {@code isle_net.h}. Little-endian; offsets and sizes in bytes. */
final class AttachLayout {
  static final int MAGIC_VALUE = 0x414E5349;
  static final int VERSION_VALUE = 1;
  static final int MOST_TILES = 16;
  static final int MOST_PORTS = 16;

  private AttachLayout() {}

  /** {@code isle_net_request}. */
  static final class Request {
    static final long MAGIC = 0;
    static final long VERSION = 4;
    static final long BYTES = 6;
    static final long APP = 8;
    static final long _RESERVED = 40;

    static final int SIZE = 64;

    private Request() {}
  }

  /** {@code isle_net_reply}; an {@link Rx} for each tile follows. */
  static final class Reply {
    static final long MAGIC = 0;
    static final long VERSION = 4;
    static final long BYTES = 6;
    static final long STATUS = 8;
    static final long TILES = 12;
    static final long APP = 16;
    static final long INSTANCE = 20;
    static final long MTU = 24;
    static final long ADDRESS = 28;
    static final long PORT_COUNT = 32;
    static final long PORTS = 36;
    static final long TX_DEPTH = 68;
    static final long TX_BYTES = 72;
    static final long TX_MCACHE = 80;
    static final long TX_DCACHE = 88;
    static final long PROGRESS_BYTES = 96;
    static final long REASON = 104;

    static final int SIZE = 256;
    static final int REASON_BYTES = 152;

    private Reply() {}
  }

  /** {@code isle_net_rx}. */
  static final class Rx {
    static final long MCACHE_BYTES = 0;
    static final long MCACHE = 8;
    static final long UMEM_BYTES = 16;
    static final long UMEM = 24;
    static final long UMEM_SIZE = 32;
    static final long SEQ = 40;
    static final long DEPTH = 48;
    static final long FRAME_BYTES = 52;

    static final int SIZE = 56;

    private Rx() {}
  }
}
