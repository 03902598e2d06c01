package io.isle.lib.packet.capture;

/** Numbers of the first header of captured frames, as tcpdump's registry has them. */
public final class LinkType {
  /** Ethernet. */
  public static final int ETHERNET = 1;

  private LinkType() {}

  /** Such as {@code 1 (Ethernet)}; the number alone where the name is not known here. */
  public static String text(int type) {
    String name =
        switch (type) {
          case 0 -> " (loopback of BSD)";
          case ETHERNET -> " (Ethernet)";
          case 101 -> " (IP without a link header)";
          case 105 -> " (IEEE 802.11)";
          case 113 -> " (Linux cooked capture)";
          case 276 -> " (Linux cooked capture, version 2)";
          default -> "";
        };
    return type + name;
  }
}
