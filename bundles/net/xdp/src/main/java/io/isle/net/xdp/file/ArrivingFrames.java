package io.isle.net.xdp.file;

import io.isle.lib.packet.capture.CaptureReader;
import io.isle.lib.packet.capture.LinkType;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** Frames of a capture file, one after the other, without those that a port skips. One thread. */
final class ArrivingFrames implements Closeable {
  /** Least bytes of a frame: the header of Ethernet. */
  static final int LEAST_FRAME = 14;

  private final Path file;
  private final int mtu;
  private CaptureReader reader;
  private boolean atEnd;
  private long skipped;

  /**
   * Opens the file.
   *
   * @param mtu most bytes of a frame
   */
  ArrivingFrames(Path file, int mtu) throws IOException {
    this.file = file;
    this.mtu = mtu;
    reader = CaptureFiles.reader(file);
  }

  /** Moves to the next frame that fits; false behind the last one. */
  boolean next() throws IOException {
    while (!atEnd) {
      if (!reader.next()) {
        atEnd = true;
      } else if (reader.linkType() == LinkType.ETHERNET
          && reader.length() >= LEAST_FRAME
          && reader.length() <= mtu) {
        return true;
      } else {
        skipped++;
      }
    }
    return false;
  }

  /** Memory with the frame at its begin, until the next move. */
  MemorySegment memory() {
    return reader.memory();
  }

  /** Bytes of the frame. */
  int length() {
    return reader.length();
  }

  boolean isAtEnd() {
    return atEnd;
  }

  /** Frames that did not fit. */
  long skipped() {
    return skipped;
  }

  /** Reads the file again from its begin; all stays as it was if that fails. */
  void again() throws IOException {
    CaptureReader next = CaptureFiles.reader(file);
    reader.close();
    reader = next;
    atEnd = false;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
