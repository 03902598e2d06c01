package io.isle.net.tile;

import io.isle.lib.packet.Ethernet;
import io.isle.lib.packet.Ipv4;
import io.isle.lib.tile.RawMemory;
import io.isle.lib.tile.Routes;
import io.isle.lib.tile.TxDrop;

/** Addresses of frames whose head {@link QuickHead} does not take. */
final class PlainHead {
  /** Least bytes of a packet: the headers of Ethernet and IPv4. */
  private static final int LEAST_BYTES = Ethernet.HEADER_BYTES + Ipv4.MIN_HEADER_BYTES;

  private PlainHead() {}

  /**
   * Writes the addresses into a frame of UMEM.
   *
   * @param routes with the route that was looked up
   * @return the reason if that cannot be; else null
   */
  static TxDrop address(Routes routes, long at, int size) {
    long ip = at + Ethernet.HEADER_BYTES;
    if (size < LEAST_BYTES
        || Ethernet.type(RawMemory.ALL, at) != Ethernet.TYPE_IPV4
        || Ipv4.version(RawMemory.ALL, ip) != 4) {
      return TxDrop.INVALID;
    }
    int header = Ipv4.headerBytes(RawMemory.ALL, ip);
    if (header < Ipv4.MIN_HEADER_BYTES || Ethernet.HEADER_BYTES + header > size) {
      return TxDrop.INVALID;
    }
    if (Ipv4.source(RawMemory.ALL, ip) == 0) {
      if (routes.source() == 0) {
        return TxDrop.NO_SOURCE;
      }
      Ipv4.source(RawMemory.ALL, ip, routes.source());
      Ipv4.seal(RawMemory.ALL, ip);
    }
    Ethernet.addresses(RawMemory.ALL, at, routes.neighbor(), routes.station());
    return null;
  }
}
