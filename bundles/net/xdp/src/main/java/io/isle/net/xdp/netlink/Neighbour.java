package io.isle.net.xdp.netlink;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/**
 * What the kernel knows of a host on a link.
 *
 * @param address IPv4, first number highest
 * @param station hardware address, 48 bits, first byte highest; 0 without one
 * @param state bits such as {@link #PERMANENT}
 */
public record Neighbour(int interfaceIndex, int address, long station, int state) {
  /** The host answered a short time ago. */
  public static final int REACHABLE = 2;

  /** The host answered once. */
  public static final int STALE = 4;

  /** An administrator says so. */
  public static final int PERMANENT = 0x80;

  /** Reachable, stale, delay, probe, noarp, permanent. */
  private static final int USABLE = 0xDE;

  static final int STRUCTURE = 12;
  static final int NDA_DST = 1;
  static final int NDA_LLADDR = 2;

  static Neighbour read(Message message) {
    MemorySegment structure = message.structure(STRUCTURE);
    Attributes attributes = message.attributes(STRUCTURE);
    int state = Short.toUnsignedInt(structure.get(JAVA_SHORT_UNALIGNED, 8));
    boolean known = attributes.station(NDA_LLADDR).isPresent();
    return new Neighbour(
        structure.get(JAVA_INT_UNALIGNED, 4),
        attributes.address(NDA_DST),
        attributes.station(NDA_LLADDR).orElse(0L),
        known ? state : state & ~USABLE);
  }

  /** Whether the hardware address may be used. */
  public boolean isUsable() {
    return (state & USABLE) != 0;
  }
}
