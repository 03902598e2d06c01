package io.isle.lib.ffi;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A host and a port, as users write them: {@code 10.0.0.1:9999}, {@code [fe80::1%eth0]:9999} or
 * {@code node7.example:9999}.
 *
 * @param host a name, or an address; an IPv6 address without brackets
 * @param port 0 to 65535
 */
public record HostPort(String host, int port) {
  private static final int LONGEST = 253;
  private static final Pattern LABEL =
      Pattern.compile("[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?");
  private static final Pattern NUMBERS = Pattern.compile("[0-9.]+|0[xX][0-9A-Fa-f.xX]*");

  /**
   * Checks both parts.
   *
   * @throws IllegalArgumentException with a text for the user
   */
  public HostPort {
    if (port < 0 || port > 0xFFFF) {
      throw new IllegalArgumentException("port " + port + " is not in 0..65535");
    }
    if (!isAddress(host) && !isName(host)) {
      throw new IllegalArgumentException(
          "'" + shown(host) + "' is neither a name of a host nor an IPv4 or IPv6 address");
    }
  }

  /**
   * Reads {@code HOST:PORT} or {@code [IPV6]:PORT}.
   *
   * @throws IllegalArgumentException with a text for the user
   */
  public static HostPort parse(String text) {
    int colon = text.lastIndexOf(':');
    int port = IpText.number(text, colon + 1, text.length(), 10, 5);
    if (colon < 1 || port < 0) {
      throw new IllegalArgumentException(
          "'" + shown(text) + "' is not HOST:PORT with a port from 0 to 65535");
    }
    String host = text.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]") && host.indexOf(':') > 0) {
      host = host.substring(1, host.length() - 1);
    } else if (host.indexOf(':') >= 0) {
      throw new IllegalArgumentException(
          "'" + shown(text) + "': an IPv6 address stands in brackets, as in [::1]:9999");
    }
    return new HostPort(host, port);
  }

  /** Whether the host is an address, so that {@link #resolve} asks nobody. */
  public boolean isLiteral() {
    return isAddress(host);
  }

  /**
   * The addresses of the host, at least one, in the order of the system's resolver, which may take
   * seconds.
   *
   * @throws UnknownHostException if the name has no address, or the machine no such interface
   */
  public List<SockAddr> resolve() throws UnknownHostException {
    List<SockAddr> all = new ArrayList<>();
    if (isLiteral()) {
      int zone = host.indexOf('%');
      SockAddr address = new SockAddr();
      String bare = zone < 0 ? host : host.substring(0, zone);
      if (!IpText.parse(bare, zone < 0 ? 0 : scope(host.substring(zone + 1)), port, address)) {
        throw new UnknownHostException(host);
      }
      all.add(address);
      return all;
    }
    for (InetAddress found : InetAddress.getAllByName(host)) {
      ByteBuffer bytes = ByteBuffer.wrap(found.getAddress());
      SockAddr address = new SockAddr();
      if (bytes.remaining() == 4) {
        address.ipv4(bytes.getInt(), port);
      } else {
        address.ipv6(bytes.getLong(), bytes.getLong(), 0, port);
      }
      all.add(address);
    }
    return all;
  }

  private int scope(String zone) throws UnknownHostException {
    int number = IpText.number(zone, 0, zone.length(), 10, 9);
    if (number >= 0) {
      return number;
    }
    try {
      NetworkInterface found = NetworkInterface.getByName(zone);
      if (found != null) {
        return found.getIndex();
      }
    } catch (SocketException e) {
      throw (UnknownHostException) new UnknownHostException(host).initCause(e);
    }
    throw new UnknownHostException(host + ": the machine has no interface " + zone);
  }

  private static boolean isAddress(String host) {
    int zone = host.indexOf('%');
    if (zone < 0) {
      return IpText.parse(host, 0, 0, new SockAddr());
    }
    return zone < host.length() - 1
        && host.length() - zone <= 16
        && host.substring(zone + 1).chars().allMatch(c -> c > ' ' && c < 127 && c != '%')
        && host.indexOf(':') >= 0
        && IpText.parse(host.substring(0, zone), 1, 0, new SockAddr());
  }

  /** What only looks like an IPv4 address is no name: resolvers disagree about its meaning. */
  private static boolean isName(String host) {
    if (host.isEmpty() || host.length() > LONGEST || NUMBERS.matcher(host).matches()) {
      return false;
    }
    String labels = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    for (String label : labels.split("\\.", -1)) {
      if (!LABEL.matcher(label).matches()) {
        return false;
      }
    }
    return true;
  }

  /** The begin of hostile text, without control characters. */
  static String shown(String text) {
    String begin = text.length() > 80 ? text.substring(0, 80) + "..." : text;
    return begin.replaceAll("[^\\x20-\\x7E]", "?");
  }

  /** As {@link #parse} reads it. */
  @Override
  public String toString() {
    return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
  }
}
