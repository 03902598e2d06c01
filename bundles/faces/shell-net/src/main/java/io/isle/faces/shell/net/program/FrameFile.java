package io.isle.faces.shell.net.program;

import io.isle.api.net.FrameJudge;
import io.isle.faces.shell.ShellException;
import io.isle.lib.packet.capture.CaptureException;
import io.isle.lib.packet.capture.CaptureReader;
import io.isle.lib.packet.capture.LinkType;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Frames of a hostile file: a capture, or else one frame as it is. */
final class FrameFile {
  /** Takes a frame. */
  @FunctionalInterface
  interface Handler {
    /**
     * @param number of the frame in its file, from 1
     * @param frame valid during the call
     */
    void frame(long number, MemorySegment frame);
  }

  private FrameFile() {}

  /**
   * Passes on all frames.
   *
   * @return their number
   * @throws ShellException with the file and the reason
   */
  static long each(Path path, Handler handler) {
    try (InputStream stream = new BufferedInputStream(Files.newInputStream(path), 1 << 16)) {
      stream.mark(4);
      byte[] begin = stream.readNBytes(4);
      stream.reset();
      if (CaptureReader.format(begin) == null) {
        byte[] frame = stream.readNBytes(FrameJudge.MAX_FRAME_BYTES + 1);
        handler.frame(1, checked(path, 1, MemorySegment.ofArray(frame)));
        return 1;
      }
      return captured(path, CaptureReader.open(stream, path.toString()), handler);
    } catch (NoSuchFileException e) {
      throw ShellException.failed(path + " does not exist");
    } catch (CaptureException e) {
      throw ShellException.failed(e.getMessage());
    } catch (IOException e) {
      throw ShellException.failed(path + " cannot be read: " + e);
    }
  }

  private static long captured(Path path, CaptureReader reader, Handler handler)
      throws IOException {
    while (reader.next()) {
      if (reader.linkType() != LinkType.ETHERNET) {
        throw ShellException.failed(
            "%s: frame %d has link type %s; a program takes frames of link type %s"
                .formatted(
                    path,
                    reader.number(),
                    LinkType.text(reader.linkType()),
                    LinkType.text(LinkType.ETHERNET)));
      }
      MemorySegment frame = reader.memory().asSlice(0, reader.length());
      handler.frame(reader.number(), checked(path, reader.number(), frame));
    }
    return reader.number();
  }

  private static MemorySegment checked(Path path, long number, MemorySegment frame) {
    long bytes = frame.byteSize();
    if (bytes < FrameJudge.MIN_FRAME_BYTES || bytes > FrameJudge.MAX_FRAME_BYTES) {
      throw ShellException.failed(
          "%s: frame %d has %s%d bytes; %d to %d are possible"
              .formatted(
                  path,
                  number,
                  bytes > FrameJudge.MAX_FRAME_BYTES ? "at least " : "",
                  bytes,
                  FrameJudge.MIN_FRAME_BYTES,
                  FrameJudge.MAX_FRAME_BYTES));
    }
    return frame;
  }
}
