package io.isle.lib.packet.capture;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes a pcapng file of one section, little-endian, with nanoseconds. Writing a frame allocates
 * nothing, apart from the bytes of a new comment. One thread at a time.
 */
public final class PcapngWriter implements Closeable {
  /** Most bytes of a name or a comment; the rest is left out. */
  public static final int MAX_TEXT_BYTES = 1024;

  /** As queue: none is told. */
  public static final int NO_QUEUE = -1;

  private static final int INTERFACE = 1;
  private static final int ENHANCED = 6;

  private static final int COMMENT = 1;
  private static final int NAME = 2;
  private static final int APPLICATION = 4;
  private static final int FLAGS = 2;
  private static final int DROPS = 4;
  private static final int QUEUE = 6;
  private static final int RESOLUTION = 9;
  private static final int NANO_DIGITS = 9;

  private static final int OVERHEAD_BYTES = 128 + MAX_TEXT_BYTES;

  private final CaptureWriter out;
  private final int snap;
  private int interfaces;
  private String comment = "";
  private byte[] commentBytes = {};

  /**
   * Writes the header of the section.
   *
   * @param stream best buffered; closed by {@link #close}
   * @param application name of the program that writes the file
   * @param snap most bytes of a frame that are kept, 1 to {@link CaptureReader#MAX_FRAME_BYTES}
   */
  public PcapngWriter(OutputStream stream, String application, int snap) throws IOException {
    this.snap = checkedSnap(snap);
    out = new CaptureWriter(stream, snap + OVERHEAD_BYTES);
    out.u32(PcapngReader.SECTION).u32(0).u32(PcapngReader.ORDER).u16(1).u16(0).u64(-1);
    option(APPLICATION, bytes(application));
    out.u32(0).end().write();
  }

  static int checkedSnap(int snap) {
    if (snap < 1 || snap > CaptureReader.MAX_FRAME_BYTES) {
      throw new IllegalArgumentException(
          "snap " + snap + " is not in 1.." + CaptureReader.MAX_FRAME_BYTES);
    }
    return snap;
  }

  /**
   * Describes an interface, before its first frame.
   *
   * @param linkType such as {@link LinkType#ETHERNET}
   * @return its index, from 0
   */
  public int addInterface(String name, int linkType) throws IOException {
    out.u32(INTERFACE).u32(0).u16(linkType).u16(0).u32(snap);
    option(NAME, bytes(name));
    out.u16(RESOLUTION).u16(1).u8(NANO_DIGITS).pad();
    out.u32(0).end().write();
    return interfaces++;
  }

  /**
   * Writes a frame.
   *
   * @param interfaceId a result of {@link #addInterface}
   * @param timeNs nanoseconds since 1970, 0 or more
   * @param length captured bytes of the frame, all of them in {@code memory}
   * @param wireLength bytes of the frame on the wire
   * @param facts what else is known
   */
  public void write(
      int interfaceId,
      long timeNs,
      MemorySegment memory,
      long offset,
      int length,
      int wireLength,
      Facts facts)
      throws IOException {
    if (interfaceId < 0 || interfaceId >= interfaces) {
      throw new IllegalArgumentException(
          "interface " + interfaceId + " is not in 0.." + interfaces);
    }
    int kept = Math.min(length, snap);
    out.u32(ENHANCED).u32(0).u32(interfaceId);
    out.u32((int) (timeNs >>> Integer.SIZE)).u32((int) timeNs).u32(kept).u32(wireLength);
    out.copy(memory, offset, kept).pad();
    if (facts.direction() != Direction.UNKNOWN) {
      out.u16(FLAGS).u16(4).u32(facts.direction().ordinal());
    }
    if (facts.lost() != 0) {
      out.u16(DROPS).u16(8).u64(facts.lost());
    }
    if (facts.queue() != NO_QUEUE) {
      out.u16(QUEUE).u16(4).u32(facts.queue());
    }
    if (!facts.comment().isEmpty()) {
      option(COMMENT, comment(facts.comment()));
    }
    out.u32(0).end().write();
  }

  /** As above, of a frame that was kept whole, without further facts. */
  public void write(int interfaceId, long timeNs, MemorySegment memory, long offset, int length)
      throws IOException {
    write(interfaceId, timeNs, memory, offset, length, length, Facts.NONE);
  }

  /**
   * What is known about a frame. Immutable.
   *
   * @param direction the way through the interface
   * @param queue of the interface; {@link #NO_QUEUE} for none
   * @param lost frames of the interface that were lost since its last frame
   * @param comment for people; empty for none
   */
  public record Facts(Direction direction, int queue, long lost, String comment) {
    /** Nothing. */
    public static final Facts NONE = new Facts(Direction.UNKNOWN, NO_QUEUE, 0, "");
  }

  private void option(int code, byte[] value) {
    out.u16(code).u16(value.length).copy(value, value.length).pad();
  }

  /** Comments repeat. */
  private byte[] comment(String text) {
    if (!text.equals(comment)) {
      comment = text;
      commentBytes = bytes(text);
    }
    return commentBytes;
  }

  /** Whole characters. */
  private static byte[] bytes(String text) {
    byte[] all = text.getBytes(StandardCharsets.UTF_8);
    int end = Math.min(all.length, MAX_TEXT_BYTES);
    while (end < all.length && end > 0 && (all[end] & 0xC0) == 0x80) {
      end--;
    }
    return Arrays.copyOf(all, end);
  }

  /** Passes on what a buffered stream holds. */
  public void flush() throws IOException {
    out.flush();
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
