package io.isle.lib.leap.isle;

import io.isle.api.base.ForeignText;
import java.lang.foreign.MemorySegment;

/**
 * A neighbour's news of a node, which goes both ways round the ring. Given again, with another id,
 * while a failure lasts. A receiver passes a notice on unless the id is known from the same
 * reporter about the same node. Immutable.
 *
 * @param reporter name of the node that reports
 * @param id number that the reporter gave, rising, also beyond its restarts
 * @param node name of the node that it is about
 * @param address address of that node
 * @param cause see {@link Cause}
 * @param frame last frame of the node, as far as known; else 0
 * @param ageNs nanoseconds since its last sign of life
 * @param hops nodes that may send it on
 * @param detail more, in words; at most 128 bytes, may be empty
 */
public record Notice(
    String reporter,
    long id,
    String node,
    String address,
    Cause cause,
    long frame,
    long ageNs,
    int hops,
    String detail) {
  /** Causes. On the wire: the index from 0. */
  public enum Cause {
    /** Heartbeats are missing. */
    SILENT,
    /** The path was reset or closed by the node's machine. */
    RESET,
    /** The frame in work takes too long. */
    STUCK,
    /** Its stage fails. */
    FAILED,
    /** It said goodbye. */
    LEFT,
    /** It is here again. */
    BACK
  }

  /** Bytes of the payload. */
  public static final int BYTES = 288;

  /** Most bytes of {@code detail}. */
  public static final int DETAIL_BYTES = 128;

  private static final long REPORTER = 0;
  private static final long NODE = 32;
  private static final long ADDRESS = 64;
  private static final long DETAIL = 128;
  private static final long ID = 256;
  private static final long FRAME = 264;
  private static final long AGE = 272;
  private static final long CAUSE = 280;
  private static final long HOPS = 281;
  private static final long ZERO = 282;
  private static final Cause[] CAUSES = Cause.values();

  public Notice {
    Fields.requireName("reporter", reporter);
    Fields.requireName("node", node);
    Fields.requireAddress("address", address);
  }

  /**
   * Reads a payload of {@link #BYTES}.
   *
   * @throws FrameException with the field and its limit
   */
  public static Notice read(MemorySegment from, long offset) {
    Fields.zero("end of NOTICE", from, offset + ZERO, (int) (BYTES - ZERO));
    return new Notice(
        Fields.name("reporter", from, offset + REPORTER),
        Fields.u63("id", from, offset + ID),
        Fields.name("node", from, offset + NODE),
        Fields.address("address", from, offset + ADDRESS),
        CAUSES[Fields.u8("cause", from, offset + CAUSE, CAUSES.length - 1)],
        Fields.u63("frame", from, offset + FRAME),
        Fields.u63("age", from, offset + AGE),
        Fields.u8("hops", from, offset + HOPS, 255),
        ForeignText.line(Fields.text("detail", from, offset + DETAIL, DETAIL_BYTES)));
  }

  /** Writes the payload. A longer detail is cut. */
  public void write(MemorySegment to, long offset) {
    to.asSlice(offset, BYTES).fill((byte) 0);
    Fields.text(to, offset + REPORTER, Fields.NAME_BYTES, reporter);
    Fields.text(to, offset + NODE, Fields.NAME_BYTES, node);
    Fields.text(to, offset + ADDRESS, Fields.ADDRESS_BYTES, address);
    Fields.text(to, offset + DETAIL, DETAIL_BYTES, detail);
    to.set(IsleFrame.U64, offset + ID, id);
    to.set(IsleFrame.U64, offset + FRAME, frame);
    to.set(IsleFrame.U64, offset + AGE, ageNs);
    to.set(IsleFrame.U8, offset + CAUSE, (byte) cause.ordinal());
    to.set(IsleFrame.U8, offset + HOPS, (byte) hops);
  }

  /** The notice as the next node gets it; {@code hops} must be above 0. */
  public Notice passedOn() {
    return new Notice(reporter, id, node, address, cause, frame, ageNs, hops - 1, detail);
  }
}
