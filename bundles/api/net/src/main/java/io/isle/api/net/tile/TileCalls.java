package io.isle.api.net.tile;

import java.lang.foreign.MemorySegment;

/**
 * What a tile asks of the kernel. Calls never wait and throw nothing; they are made by the tile's
 * thread within a cycle. Ports are numbered as in {@link TileMemory#ports}.
 */
public interface TileCalls {
  /**
   * Has the kernel take from FILL and receive: recvfrom without a buffer.
   *
   * @return 0 or a negative error number; -EAGAIN, -EBUSY and -ENOBUFS are no failures
   */
  int wakeRx(int port);

  /** Has the kernel send from TX: sendto without a buffer; as {@link #wakeRx}. */
  int wakeTx(int port);

  /**
   * Reads the kernel's figures of a port: struct xdp_statistics.
   *
   * @param into 48 bytes
   * @return 0 or a negative error number
   */
  int statistics(int port, MemorySegment into);
}
