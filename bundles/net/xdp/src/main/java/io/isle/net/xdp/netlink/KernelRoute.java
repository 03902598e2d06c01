package io.isle.net.xdp.netlink;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.isle.lib.packet.Ipv4;
import java.lang.foreign.MemorySegment;

/**
 * An IPv4 route of the kernel. Addresses have the first number highest.
 *
 * @param table such as {@link #MAIN}
 * @param prefix bits of the destination, 0 to 32
 * @param type such as {@link #UNICAST}
 * @param metric the lowest wins; unsigned
 * @param interfaceIndex 0 without one
 * @param gateway 0 for a destination on the link
 * @param source preferred for packets that name none; 0 without one
 * @param serves false for what the table of tiles does not have: a type of service, a gateway of
 *     IPv6, a next hop that is dead
 */
public record KernelRoute(
    int table,
    int destination,
    int prefix,
    int type,
    int metric,
    int interfaceIndex,
    int gateway,
    int source,
    boolean serves) {
  /** Table of routes to the machine itself. */
  public static final int LOCAL_TABLE = 255;

  /** Table of all other routes, unless rules say otherwise. */
  public static final int MAIN = 254;

  /** Type of a route that sends by an interface. */
  public static final int UNICAST = 1;

  /** Type of a route to the machine itself. */
  public static final int LOCAL = 2;

  /** Type of a route that drops without a word. */
  public static final int BLACKHOLE = 6;

  /** Type of a route that drops and says so. */
  public static final int UNREACHABLE = 7;

  /** Type of a route that forbids. */
  public static final int PROHIBIT = 8;

  /** Type of a route that goes on with the next table. */
  public static final int THROW = 9;

  static final int STRUCTURE = 12;
  static final int RTA_DST = 1;
  static final int RTA_OIF = 4;
  static final int RTA_GATEWAY = 5;
  static final int RTA_PRIORITY = 6;
  static final int RTA_PREFSRC = 7;

  private static final int RTA_MULTIPATH = 9;
  private static final int RTA_TABLE = 15;
  private static final int RTA_VIA = 18;
  private static final int DEAD = 1;

  /** Structure rtnexthop {u16 length, u8 flags, u8 hops, i32 interface}, then attributes. */
  private static final int HOP = 8;

  /** A way to the destination. */
  private record Hop(int interfaceIndex, int gateway, boolean serves) {}

  static KernelRoute read(Message message) {
    MemorySegment structure = message.structure(STRUCTURE);
    Attributes attributes = message.attributes(STRUCTURE);
    int table = structure.get(JAVA_BYTE, 4) & 0xFF;
    Hop hop =
        attributes
            .bytes(RTA_MULTIPATH)
            .map(KernelRoute::hop)
            .orElseGet(() -> hop(attributes, flags(structure)));
    return new KernelRoute(
        attributes.number(RTA_TABLE).orElse(table),
        attributes.address(RTA_DST),
        Math.min(32, structure.get(JAVA_BYTE, 1) & 0xFF),
        structure.get(JAVA_BYTE, 7) & 0xFF,
        attributes.number(RTA_PRIORITY).orElse(0),
        hop.interfaceIndex,
        hop.gateway,
        attributes.address(RTA_PREFSRC),
        hop.serves && structure.get(JAVA_BYTE, 3) == 0);
  }

  private static int flags(MemorySegment structure) {
    return structure.get(JAVA_INT_UNALIGNED, 8);
  }

  private static Hop hop(Attributes attributes, int flags) {
    return new Hop(
        attributes.number(RTA_OIF).orElse(0),
        attributes.address(RTA_GATEWAY),
        (flags & DEAD) == 0 && !attributes.has(RTA_VIA));
  }

  /** The first way that serves: tiles do not spread packets over several. */
  private static Hop hop(MemorySegment hops) {
    long at = 0;
    while (hops.byteSize() - at >= HOP) {
      int length = Short.toUnsignedInt(hops.get(JAVA_SHORT_UNALIGNED, at));
      if (length < HOP || length > hops.byteSize() - at) {
        throw Message.broken(
            "next hop of %d bytes within %d".formatted(length, hops.byteSize() - at));
      }
      Attributes attributes = Attributes.read(hops.asSlice(at + HOP, length - HOP));
      Hop hop = hop(attributes, hops.get(JAVA_BYTE, at + 2));
      if (hop.serves) {
        return new Hop(hops.get(JAVA_INT_UNALIGNED, at + 4), hop.gateway, true);
      }
      at += length + 3 & -4;
    }
    return new Hop(0, 0, false);
  }

  /** Such as {@code 10.0.0.0/8}. */
  public String text() {
    return Ipv4.text(destination) + "/" + prefix;
  }
}
