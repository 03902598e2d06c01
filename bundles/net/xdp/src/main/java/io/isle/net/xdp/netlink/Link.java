package io.isle.net.xdp.netlink;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/**
 * A network interface.
 *
 * @param type of the hardware, such as {@link #ETHERNET}
 * @param flags such as {@link #UP}
 * @param station hardware address, 48 bits, first byte highest; 0 without one of Ethernet
 * @param mtu bytes of the largest packet
 * @param kind such as {@code veth}; empty for hardware
 * @param xdp the program that takes its frames
 */
public record Link(
    int index, String name, int type, int flags, long station, int mtu, String kind, Xdp xdp) {
  /** Type of Ethernet. */
  public static final int ETHERNET = 1;

  /** Flag of an interface that is switched on. */
  public static final int UP = 1;

  /** Flag of the loopback. */
  public static final int LOOPBACK = 8;

  /** Flag of an interface with a carrier. */
  public static final int RUNNING = 0x40;

  /** Flag of an interface whose packets need no address of a neighbour. */
  public static final int NOARP = 0x80;

  static final int STRUCTURE = 16;
  static final int IFLA_ADDRESS = 1;
  static final int IFLA_IFNAME = 3;
  static final int IFLA_LINKINFO = 18;
  static final int INFO_KIND = 1;

  private static final int IFLA_MTU = 4;
  private static final int IFLA_XDP = 43;
  private static final int XDP_ATTACHED = 2;
  private static final int XDP_PROGRAM = 4;

  /** Where a program is attached. */
  public enum XdpMode {
    NONE,
    DRV,
    SKB,
    HW,
    /** Several at once. */
    MULTI
  }

  /**
   * The attached program.
   *
   * @param program its id; 0 without one, or for several
   */
  public record Xdp(XdpMode mode, int program) {}

  static Link read(Message message) {
    MemorySegment structure = message.structure(STRUCTURE);
    Attributes attributes = message.attributes(STRUCTURE);
    Attributes xdp = attributes.nested(IFLA_XDP);
    int mode = xdp.u8(XDP_ATTACHED).orElse(0);
    return new Link(
        structure.get(JAVA_INT_UNALIGNED, 4),
        attributes.text(IFLA_IFNAME),
        Short.toUnsignedInt(structure.get(JAVA_SHORT_UNALIGNED, 2)),
        structure.get(JAVA_INT_UNALIGNED, 8),
        attributes.station(IFLA_ADDRESS).orElse(0L),
        attributes.number(IFLA_MTU).orElse(0),
        attributes.nested(IFLA_LINKINFO).text(INFO_KIND),
        new Xdp(
            mode < XdpMode.values().length ? XdpMode.values()[mode] : XdpMode.MULTI,
            xdp.number(XDP_PROGRAM).orElse(0)));
  }

  /** Whether the interface is switched on. */
  public boolean isUp() {
    return (flags & UP) != 0;
  }

  /** Whether this is the loopback. */
  public boolean isLoopback() {
    return (flags & LOOPBACK) != 0;
  }

  /** Whether packets need the hardware address of a neighbour. */
  public boolean resolves() {
    return type == ETHERNET && (flags & (LOOPBACK | NOARP)) == 0;
  }
}
