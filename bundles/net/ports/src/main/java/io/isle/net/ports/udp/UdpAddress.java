package io.isle.net.ports.udp;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.lib.packet.Ipv4;

/**
 * An address of this machine and a port.
 *
 * @param host of IPv4, first number highest
 * @param port 0 to 65535
 */
record UdpAddress(int host, int port) {
  private static final int MOST_PORT = 65_535;

  /**
   * Reads {@code A.B.C.D:PORT}.
   *
   * @param address with the scheme, for messages
   * @throws NetException EINVAL
   */
  static UdpAddress parse(String address, String text) {
    int colon = text.lastIndexOf(':');
    String number = text.substring(colon + 1);
    if (colon < 0 || !number.matches("0|[1-9][0-9]{0,4}")) {
      throw wrong(address, "not ADDRESS:PORT with a port from 0 to " + MOST_PORT, null);
    }
    int port = Integer.parseInt(number);
    if (port > MOST_PORT) {
      throw wrong(address, "port " + port + " is not within 0 to " + MOST_PORT, null);
    }
    try {
      int host = Ipv4.parse(text.substring(0, colon));
      if (host == 0 || Ipv4.isMulticast(host)) {
        throw wrong(address, "frames need the address of one interface", null);
      }
      return new UdpAddress(host, port);
    } catch (IllegalArgumentException e) {
      throw wrong(address, e.getMessage(), e);
    }
  }

  private static NetException wrong(String address, String why, Throwable cause) {
    String begin = address.length() > 60 ? address.substring(0, 60) + "..." : address;
    return new NetException(Errno.EINVAL, begin + ": " + why, cause);
  }
}
