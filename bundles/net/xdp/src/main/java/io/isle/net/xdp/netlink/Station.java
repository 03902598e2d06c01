package io.isle.net.xdp.netlink;

/** Hardware addresses of Ethernet as text: 48 bits of a long, first byte highest. */
public final class Station {
  private Station() {}

  /** Such as {@code 02:00:00:00:00:01}. */
  public static String text(long address) {
    StringBuilder text = new StringBuilder();
    for (int shift = 40; shift >= 0; shift -= 8) {
      text.append(text.isEmpty() ? "" : ":");
      text.append("%02x".formatted(address >>> shift & 0xFF));
    }
    return text.toString();
  }
}
