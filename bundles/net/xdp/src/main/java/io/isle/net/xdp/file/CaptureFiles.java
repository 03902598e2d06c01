package io.isle.net.xdp.file;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.lib.packet.capture.CaptureReader;
import io.isle.lib.packet.capture.LinkType;
import io.isle.lib.packet.capture.PcapngWriter;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Opens the files of a port. */
final class CaptureFiles {
  /** Most bytes of a frame in a file. */
  static final int MOST_FRAME = 65535;

  private static final Set<OpenOption> OUT =
      Set.of(
          StandardOpenOption.WRITE,
          StandardOpenOption.CREATE,
          StandardOpenOption.TRUNCATE_EXISTING,
          LinkOption.NOFOLLOW_LINKS);

  private CaptureFiles() {}

  /** What a user is told. */
  static NetException failure(IOException e) {
    return new NetException(Errno.EIO, "capture files of a port: " + text(e), e);
  }

  /** Exceptions of files have the path alone as message. */
  static String text(IOException e) {
    return switch (e) {
      case NoSuchFileException missing -> missing.getFile() + ": no such file";
      case AccessDeniedException denied -> denied.getFile() + ": permission denied";
      default -> String.valueOf(e.getMessage());
    };
  }

  /** Opens a regular file, pcap or pcapng. */
  static CaptureReader reader(Path file) throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      // the read of a pipe would wait
      throw new IOException(file + ": no regular file");
    }
    InputStream stream = Files.newInputStream(file);
    try {
      return CaptureReader.open(stream, file.toString());
    } catch (IOException e) {
      close(stream, e);
      throw e;
    }
  }

  /** Makes a file, or replaces one, with rights for its user alone. */
  static PcapngWriter writer(Path file) throws IOException {
    PcapngWriter made =
        new PcapngWriter(
            new BufferedOutputStream(
                Channels.newOutputStream(
                    Files.newByteChannel(
                        file,
                        OUT,
                        PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rw-------")))),
                1 << 16),
            "isle",
            MOST_FRAME);
    int ignored = made.addInterface("port", LinkType.ETHERNET);
    return made;
  }

  /** Closes behind a failure. */
  static void close(Closeable file, IOException cause) {
    try {
      file.close();
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }
}
