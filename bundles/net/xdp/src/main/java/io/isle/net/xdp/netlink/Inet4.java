package io.isle.net.xdp.netlink;

/** Addresses as text. IPv4 is an int with the first number highest, Ethernet 48 bits alike. */
public final class Inet4 {
  private Inet4() {}

  /** Such as {@code 198.18.0.1}. */
  public static String text(int address) {
    return (address >>> 24)
        + "."
        + (address >>> 16 & 0xFF)
        + "."
        + (address >>> 8 & 0xFF)
        + "."
        + (address & 0xFF);
  }

  /** Such as {@code 02:00:00:00:00:01}. */
  public static String station(long address) {
    StringBuilder text = new StringBuilder();
    for (int shift = 40; shift >= 0; shift -= 8) {
      text.append(text.isEmpty() ? "" : ":");
      text.append("%02x".formatted(address >>> shift & 0xFF));
    }
    return text.toString();
  }
}
