package io.isle.lib.leap;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Activation packets of LEAP: a header of two little-endian integers, then {@code dim} floats. All
 * packets of a ring have the same size. Pure functions, safe for any thread.
 */
public final class Packets {
  /** Bytes of the header. */
  public static final int HEADER_BYTES = 8;

  /** Most bytes of a packet: 65535 chunks of 1400 bytes, on every transport. */
  public static final int MAX_BYTES = ChunkHeader.MAX_CHUNKS * ChunkHeader.PAYLOAD_BYTES;

  /** Largest {@code dim}. */
  public static final int MAX_DIM = (MAX_BYTES - HEADER_BYTES) / Float.BYTES;

  /** The tail drops the packet. */
  public static final int NO_REPLY = 0;

  /** The tail sends the packet on to the master. */
  public static final int NEED_REPLY = 1;

  /** Port of LEAP unless set otherwise, TCP and UDP. */
  public static final int DEFAULT_PORT = 9999;

  private static final ValueLayout.OfShort U16 =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt I32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final long POS = 0;
  private static final long FLAGS = 4;

  private Packets() {}

  /**
   * Bytes of a packet: header and floats.
   *
   * @param dim 1 to {@link #MAX_DIM}
   * @throws IllegalArgumentException naming {@code dim} and its limit
   */
  public static int bytes(int dim) {
    if (dim < 1 || dim > MAX_DIM) {
      throw new IllegalArgumentException("dim " + dim + " is not in 1.." + MAX_DIM);
    }
    return HEADER_BYTES + dim * Float.BYTES;
  }

  /**
   * Checks the size of a ring's packets.
   *
   * @throws IllegalArgumentException naming {@code packet_bytes} and its limit
   */
  public static void requireBytes(int packetBytes) {
    if (packetBytes < 1 || packetBytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          "packet_bytes " + packetBytes + " is not in 1.." + MAX_BYTES);
    }
  }

  /** Whether control packets fit into packets of this size; else sending one is EMSGSIZE. */
  public static boolean holdControl(int packetBytes) {
    return packetBytes >= Control.PACKET_BYTES;
  }

  /** Position of the packet in its sequence. The packet has at least 8 bytes. */
  public static int pos(MemorySegment packet, long offset) {
    return packet.get(I32, offset + POS);
  }

  /** {@link #NO_REPLY}, {@link #NEED_REPLY}, or another number of a peer. */
  public static int flags(MemorySegment packet, long offset) {
    return packet.get(I32, offset + FLAGS);
  }

  /** Writes the header. */
  public static void header(MemorySegment packet, long offset, int pos, int flags) {
    packet.set(I32, offset + POS, pos);
    packet.set(I32, offset + FLAGS, flags);
  }

  /**
   * Whether a packet at this position begins like a control packet. Peers of LEAP look at two bytes
   * only, so originating such a position is ERANGE.
   */
  public static boolean looksLikeControl(int pos) {
    return (pos & 0xFFFF) == Control.MARKER;
  }

  /** As {@link #looksLikeControl(int)}, by the first bytes of a packet of any size. */
  public static boolean looksLikeControl(MemorySegment packet, long offset, long length) {
    return length >= Short.BYTES && (packet.get(U16, offset) & 0xFFFF) == Control.MARKER;
  }
}
