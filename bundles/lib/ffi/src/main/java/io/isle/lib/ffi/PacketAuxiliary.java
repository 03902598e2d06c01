package io.isle.lib.ffi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What the kernel tells beside a frame: structure tpacket_auxdata {u32 status, u32, u32, u16, u16,
 * u16 tag, u16 type of the tag}.
 */
final class PacketAuxiliary {
  /** SOL_PACKET. */
  static final int LEVEL = 263;

  /** PACKET_AUXDATA. */
  static final int TYPE = 8;

  private static final int VLAN_VALID = 0x10;
  private static final int VLAN_TYPE_VALID = 0x40;
  private static final long VLAN_TAG = 16;
  private static final long VLAN_TYPE = 18;
  private static final int VLAN_8021Q = 0x8100;

  private PacketAuxiliary() {}

  /** The four bytes of the tag, type first; -1 without a tag. */
  static long vlanTag(MemorySegment memory, long at) {
    int status = memory.get(ValueLayout.JAVA_INT, at);
    if ((status & VLAN_VALID) == 0) {
      return -1;
    }
    long type = (status & VLAN_TYPE_VALID) == 0 ? VLAN_8021Q : u16(memory, at + VLAN_TYPE);
    return type << Short.SIZE | u16(memory, at + VLAN_TAG);
  }

  private static int u16(MemorySegment memory, long at) {
    return Short.toUnsignedInt(memory.get(ValueLayout.JAVA_SHORT, at));
  }
}
