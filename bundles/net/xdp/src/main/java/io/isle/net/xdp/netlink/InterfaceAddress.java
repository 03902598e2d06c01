package io.isle.net.xdp.netlink;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import io.isle.lib.packet.Ipv4;
import java.lang.foreign.MemorySegment;

/**
 * An IPv4 address of an interface.
 *
 * @param address first number highest
 * @param prefix bits of the network, 0 to 32
 * @param scope 0 for all of the network, 253 for the link, 254 for the machine
 * @param secondary whether another address of the network comes first
 */
public record InterfaceAddress(
    int interfaceIndex, int address, int prefix, int scope, boolean secondary) {
  static final int STRUCTURE = 8;
  static final int IFA_ADDRESS = 1;
  static final int IFA_LOCAL = 2;

  private static final int IFA_FLAGS = 8;
  private static final int SECONDARY = 1;

  static InterfaceAddress read(Message message) {
    MemorySegment structure = message.structure(STRUCTURE);
    Attributes attributes = message.attributes(STRUCTURE);
    int flags = attributes.number(IFA_FLAGS).orElse(structure.get(JAVA_BYTE, 2) & 0xFF);
    return new InterfaceAddress(
        structure.get(JAVA_INT_UNALIGNED, 4),
        attributes.address(attributes.has(IFA_LOCAL) ? IFA_LOCAL : IFA_ADDRESS),
        structure.get(JAVA_BYTE, 1) & 0xFF,
        structure.get(JAVA_BYTE, 3) & 0xFF,
        (flags & SECONDARY) != 0);
  }

  /** Whether an address belongs to the network of this one. */
  boolean reaches(int other) {
    return prefix == 0 || (address ^ other) >>> (32 - Math.min(32, prefix)) == 0 || prefix > 32;
  }

  /** Such as {@code 198.18.0.1/24}. */
  public String text() {
    return Ipv4.text(address) + "/" + prefix;
  }
}
