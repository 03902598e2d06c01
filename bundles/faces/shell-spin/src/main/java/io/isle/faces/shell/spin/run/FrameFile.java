package io.isle.faces.shell.spin.run;

import io.isle.lib.packet.capture.CaptureReader;
import io.isle.lib.packet.capture.PcapWriter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * A pcap file of frames with the times and the link type of a capture. It gets its name when all
 * frames are written; before, nothing is there.
 */
final class FrameFile implements AutoCloseable {
  private static final long MOST_NS = (1L << 32) * 1_000_000_000L - 1;

  private final Path file;
  private final Path part;
  private final PcapWriter writer;
  private boolean closed;

  /**
   * Begins a file.
   *
   * @param linkType as that of the capture
   */
  FrameFile(Path file, int linkType) throws IOException {
    this.file = file;
    part = file.resolveSibling(file.getFileName() + ".part-" + ProcessHandle.current().pid());
    writer =
        new PcapWriter(
            new BufferedOutputStream(
                Files.newOutputStream(
                    part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)),
            linkType,
            CaptureReader.MAX_FRAME_BYTES);
  }

  /**
   * Adds a frame.
   *
   * @param timeNs of the packet that it belongs to
   */
  void write(long timeNs, MemorySegment memory, long offset, int length) throws IOException {
    writer.write(Math.clamp(timeNs, 0, MOST_NS), memory, offset, length);
  }

  /** Ends the file, which gets its name. */
  void finish() throws IOException {
    closed = true;
    writer.close();
    Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public void close() throws IOException {
    if (!closed) {
      writer.close();
      Files.deleteIfExists(part);
    }
  }
}
