package io.isle.lib.packet;

import java.util.Locale;

/** Why a tile drops a received frame by its bytes alone. */
public enum Drop {
  /** No reason: a datagram for an app. */
  NONE,
  /** Fewer than 42 bytes: no room for the headers. */
  UNDERSIZE,
  /** The type is not 0x0800, or the version is not 4. */
  NOT_IPV4,
  /** The header of IPv4 has fewer than 20 bytes by its own field. */
  BAD_IHL,
  /** The protocol is not 17. */
  NOT_UDP,
  /** A part of a larger packet. */
  FRAGMENT,
  /** The header of UDP, or its length, ends beyond the frame; or the length is less than 8. */
  BAD_UDP_LENGTH,
  /** The source is the address of a group. */
  MULTICAST_SOURCE,
  /** The datagram has a checksum, and the checksum is wrong. */
  CHECKSUM;

  private final String text = name().toLowerCase(Locale.ROOT);

  /** As counters and users name the reason, such as {@code bad_ihl}. */
  public String text() {
    return text;
  }
}
