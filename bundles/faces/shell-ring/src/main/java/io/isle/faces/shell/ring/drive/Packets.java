package io.isle.faces.shell.ring.drive;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** The header of a packet: position and flags. Pure functions. */
public final class Packets {
  /** Bytes of a header. */
  public static final int HEADER = 8;

  /** Flags of a packet that ends at the tail. */
  public static final int NO_REPLY = 0;

  /** Flags of a packet that returns to the master. */
  public static final int NEED_REPLY = 1;

  private static final ValueLayout.OfInt FIELD =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int FLAGS = 4;

  private Packets() {}

  /** Writes a header to the begin of {@code packet}. */
  public static void header(MemorySegment packet, int position, int flags) {
    packet.set(FIELD, 0, position);
    packet.set(FIELD, FLAGS, flags);
  }

  /** The position in the header at the begin of {@code packet}. */
  public static int position(MemorySegment packet) {
    return packet.get(FIELD, 0);
  }

  /** The flags in the header at the begin of {@code packet}. */
  public static int flags(MemorySegment packet) {
    return packet.get(FIELD, FLAGS);
  }
}
