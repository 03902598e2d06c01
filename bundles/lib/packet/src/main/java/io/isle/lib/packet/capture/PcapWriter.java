package io.isle.lib.packet.capture;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;

/**
 * Writes a pcap file of one kind of frames, little-endian, with nanoseconds. Writing a frame
 * allocates nothing. One thread at a time.
 */
public final class PcapWriter implements Closeable {
  private static final int NANOS = 0xA1B23C4D;
  private static final long SECOND_NS = 1_000_000_000L;
  private static final int RECORD_BYTES = 16;

  private final CaptureWriter out;
  private final int snap;

  /**
   * Writes the header of the file.
   *
   * @param stream best buffered; closed by {@link #close}
   * @param linkType such as {@link LinkType#ETHERNET}
   * @param snap most bytes of a frame that are kept, 1 to {@link CaptureReader#MAX_FRAME_BYTES}
   */
  public PcapWriter(OutputStream stream, int linkType, int snap) throws IOException {
    this.snap = PcapngWriter.checkedSnap(snap);
    out = new CaptureWriter(stream, RECORD_BYTES + Math.max(snap, RECORD_BYTES));
    out.u32(NANOS).u16(2).u16(4).u32(0).u32(0).u32(snap).u32(linkType).write();
  }

  /**
   * Writes a frame.
   *
   * @param timeNs nanoseconds since 1970; 0 to 2^32 seconds
   * @param length of the frame in bytes, all of them in {@code memory}
   */
  public void write(long timeNs, MemorySegment memory, long offset, int length) throws IOException {
    int kept = Math.min(length, snap);
    out.u32((int) (timeNs / SECOND_NS)).u32((int) (timeNs % SECOND_NS)).u32(kept).u32(length);
    out.copy(memory, offset, kept).write();
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
