package io.isle.lib.tile;

import java.util.Locale;

/** Why a tile passes a received frame to no app. The order is that of the counters. */
public enum RxDrop {
  /** Fewer than 42 bytes. */
  UNDERSIZE,
  /** Another type than IPv4, or another version than 4. */
  NOT_IPV4,
  /** The header of IPv4 is shorter than 20 bytes by its own field. */
  BAD_IHL,
  /** Another protocol than UDP. */
  NOT_UDP,
  /** The length of UDP is less than 8 or ends beyond the frame. */
  BAD_UDP_LENGTH,
  /** A part of a larger packet. */
  FRAGMENT,
  /** The source is the address of a group. */
  MULTICAST_SOURCE,
  /** No app has the port, or the app has no link. */
  NO_APP,
  /** The checksum of UDP is wrong, and such frames are unwanted. */
  CHECKSUM,
  /** The kernel named memory that is not its own: the frame is left alone. */
  INVALID;

  private final String text = name().toLowerCase(Locale.ROOT);

  /** As counters and users name the reason, such as {@code bad_ihl}. */
  public String text() {
    return text;
  }
}
