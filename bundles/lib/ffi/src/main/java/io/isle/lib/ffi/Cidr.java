package io.isle.lib.ffi;

/**
 * A range of addresses, such as {@code 10.0.0.0/8}, {@code fe80::/10} or one address. A range of
 * IPv4 covers IPv4 addresses in both forms; a range of IPv6 covers none. Immutable.
 */
public final class Cidr {
  private final boolean ipv4;
  private final long high;
  private final long low;
  private final long highMask;
  private final long lowMask;
  private final String text;

  private Cidr(SockAddr base, int bits) {
    this.ipv4 = base.isIpv4();
    this.high = base.high();
    this.low = base.low();
    this.highMask = mask(Math.min(64, bits));
    this.lowMask = mask(Math.max(0, bits - 64));
    this.text = IpText.host(base) + "/" + (ipv4 ? bits - 96 : bits);
  }

  /**
   * Reads {@code ADDRESS/BITS} or {@code ADDRESS}.
   *
   * @throws IllegalArgumentException with a text for the user, also when bits behind the prefix are
   *     set
   */
  public static Cidr parse(String text) {
    int slash = text.indexOf('/');
    SockAddr base = new SockAddr();
    if (!IpText.parse(slash < 0 ? text : text.substring(0, slash), 0, 0, base)) {
      throw new IllegalArgumentException(
          "'" + HostPort.shown(text) + "' is not ADDRESS/BITS with an IPv4 or IPv6 address");
    }
    boolean dotted = base.family() == Sockets.AF_INET;
    int most = dotted ? 32 : 128;
    int bits = slash < 0 ? most : IpText.number(text, slash + 1, text.length(), 10, 3);
    if (bits < 0 || bits > most) {
      throw new IllegalArgumentException(
          "'" + HostPort.shown(text) + "': the bits of the prefix are 0 to " + most);
    }
    int all = dotted ? bits + 96 : bits;
    long high = base.high() & mask(Math.min(64, all));
    long low = base.low() & mask(Math.max(0, all - 64));
    if (base.isIpv4() && all < 96 || high != base.high() || low != base.low()) {
      base.ipv6(high, low, 0, 0);
      throw new IllegalArgumentException(
          "'%s' sets bits behind its prefix; the range is %s/%d"
              .formatted(HostPort.shown(text), IpText.host(base), bits));
    }
    return new Cidr(base, all);
  }

  /** Whether an address belongs to the range; no unix name does. Allocates nothing. */
  public boolean contains(SockAddr address) {
    return address.isIpv4() == ipv4
        && (ipv4 || address.family() == Sockets.AF_INET6)
        && (address.high() & highMask) == high
        && (address.low() & lowMask) == low;
  }

  private static long mask(int bits) {
    return bits == 0 ? 0 : -1L << 64 - bits;
  }

  /** As {@link #parse} reads the range, with its bits. */
  @Override
  public String toString() {
    return text;
  }
}
