package io.isle.fabric.udp;

import io.isle.lib.ffi.SockAddr;

/** Datagrams that are larger than the path permits. One thread at a time, but for the reason. */
final class TooLarge {
  /** Headers of IPv4 and UDP, and of IPv6 and UDP. */
  private static final int IPV4_UDP = 28;

  private static final int IPV6_UDP = 48;

  private final UdpKernel kernel;
  private volatile String reason = "";

  /** Bytes of the refused datagrams; 0 for none. */
  private long bytes;

  TooLarge(UdpKernel kernel) {
    this.kernel = kernel;
  }

  /** Why datagrams of a size and larger ones do not go; empty once one has gone. Any thread. */
  String reason() {
    return reason;
  }

  /** Datagrams of a size have gone. */
  void sent(long size) {
    if (bytes > 0 && size >= bytes) {
      bytes = 0;
      reason = "";
    }
  }

  /**
   * The kernel refuses datagrams of a size.
   *
   * @param side of the neighbour, as in settings
   */
  void refused(String side, SockAddr to, long size) {
    if (bytes == size) {
      return;
    }
    bytes = size;
    int mtu = kernel.pathMtu(to);
    reason =
        "%s: %s: datagrams need an MTU of %d B, and the path has %s. Raise the MTU of the interfaces on the path, or use tcp"
            .formatted(
                side,
                to,
                bytes + (to.isIpv4() ? IPV4_UDP : IPV6_UDP),
                mtu == 0 ? "a smaller one" : mtu + " B");
  }
}
