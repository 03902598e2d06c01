package io.isle.net.tile;

import io.isle.lib.packet.Udp;
import io.isle.lib.packet.UdpFrame;
import io.isle.lib.tile.RawMemory;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * {@link UdpFrame} for most frames, those without options of IPv4: a few wide reads instead of many
 * narrow ones. Addresses are those of the first byte of a frame in memory.
 */
final class QuickFrame {
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  /** Type, version and length of the header; then six bytes of no interest. */
  private static final long TYPE_AT = 12;

  private static final int IPV4_OF_20_BYTES = 0x08_0045;

  /** Flags and offset of a fragment, a byte of no interest, the protocol. */
  private static final long FRAGMENT_AT = 20;

  private static final int FRAGMENT_AND_PROTOCOL = 0x3FFF_00FF;
  private static final int WHOLE_UDP = 17;
  private static final long SOURCE_AT = 26;

  /** Where the header of UDP lies: both ports and the length. */
  static final long UDP = 34;

  private QuickFrame() {}

  /** The first word that {@link #isPlain} looks at, of a frame of {@link UdpFrame#MIN_BYTES}. */
  static long head(long at) {
    return RawMemory.ALL.get(LONG, at + TYPE_AT);
  }

  /**
   * Whether a frame has no options and {@link UdpFrame#check} has no objection.
   *
   * @param head {@link #head} of the frame; of a shorter frame any number
   */
  static boolean isPlain(long head, long at, int length) {
    if (length < UdpFrame.MIN_BYTES
        || head >>> 40 != IPV4_OF_20_BYTES
        || (RawMemory.ALL.get(INT, at + FRAGMENT_AT) & FRAGMENT_AND_PROTOCOL) != WHOLE_UDP) {
      return false;
    }
    int datagram = (int) (RawMemory.ALL.get(LONG, at + UDP) >>> 16) & 0xFFFF;
    return datagram >= Udp.HEADER_BYTES
        && datagram <= length - UdpFrame.MIN_BYTES + Udp.HEADER_BYTES
        && RawMemory.ALL.get(INT, at + SOURCE_AT) >>> 28 != 0xE;
  }
}
