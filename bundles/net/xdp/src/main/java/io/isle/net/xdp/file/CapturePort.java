package io.isle.net.xdp.file;

import io.isle.api.base.Errno;
import io.isle.api.net.FramePort;
import io.isle.api.net.NetException;
import io.isle.lib.packet.Drop;
import io.isle.lib.packet.UdpFrame;
import io.isle.lib.packet.capture.CaptureReader;
import io.isle.lib.packet.capture.Direction;
import io.isle.lib.packet.capture.LinkType;
import io.isle.lib.packet.capture.PcapngWriter;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
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
import java.util.function.LongSupplier;

/**
 * A port on capture files: frames of one file arrive, frames to send go to another. After the last
 * frame of the file, {@link #poll} returns 0. A file that breaks off, or cannot be written, ends
 * the port; {@link #failure} says why. Frames of other link types, of fewer than 14 bytes and of
 * more than the mtu are skipped and counted.
 *
 * <p>Calls read and write files; apart from that, they keep to the contract.
 */
public final class CapturePort implements FramePort {
  /** Protocol id in signatures of arriving frames. */
  public static final int PROTOCOL = 0;

  private static final int LEAST_FRAME = 14;
  private static final int MOST_FRAME = 65535;
  private static final PcapngWriter.Facts SENT =
      new PcapngWriter.Facts(Direction.OUTBOUND, PcapngWriter.NO_QUEUE, 0, "");

  private static final Set<OpenOption> OUT =
      Set.of(
          StandardOpenOption.WRITE,
          StandardOpenOption.CREATE,
          StandardOpenOption.TRUNCATE_EXISTING,
          LinkOption.NOFOLLOW_LINKS);

  private final Path arriving;
  private CaptureReader in;
  private final PcapngWriter out;
  private final int mtu;
  private final LongSupplier clockNs;
  private final MemorySegment memory;
  private int claimed;
  private boolean read;
  private volatile boolean ended;
  private volatile String failure = "";
  private long skipped;

  private CapturePort(
      Path arriving, CaptureReader in, PcapngWriter out, int mtu, LongSupplier clockNs) {
    this.arriving = arriving;
    this.in = in;
    this.out = out;
    this.mtu = mtu;
    this.clockNs = clockNs;
    this.memory = MemorySegment.ofArray(new byte[mtu]);
  }

  /**
   * Opens both files.
   *
   * @param arriving a regular file, pcap or pcapng
   * @param sent is written as pcapng and replaces an existing file, with rights for its user alone;
   *     no link is followed; null drops sent frames
   * @param mtu largest frame in bytes, 14 to 65535
   * @param clockNs nanoseconds since 1970, for the times of sent frames
   * @throws NetException EINVAL for a wrong mtu, and for one file in both roles; EIO naming the
   *     file
   */
  public static CapturePort open(Path arriving, Path sent, int mtu, LongSupplier clockNs) {
    if (mtu < LEAST_FRAME || mtu > MOST_FRAME) {
      throw new NetException(
          Errno.EINVAL, "mtu " + mtu + " is not in " + LEAST_FRAME + ".." + MOST_FRAME);
    }
    CaptureReader in = null;
    try {
      in = reader(arriving);
      if (sent != null && Files.exists(sent) && Files.isSameFile(arriving, sent)) {
        throw new IOException(sent + ": the file of sent frames is the one that is read");
      }
      PcapngWriter out = sent == null ? null : writer(sent);
      return new CapturePort(arriving, in, out, mtu, clockNs);
    } catch (IOException e) {
      if (in != null) {
        close(in, e);
      }
      throw failure(e);
    }
  }

  private static NetException failure(IOException e) {
    return new NetException(Errno.EIO, "capture files of a port: " + text(e), e);
  }

  /** Exceptions of files have the path alone as message. */
  private static String text(IOException e) {
    return switch (e) {
      case NoSuchFileException missing -> missing.getFile() + ": no such file";
      case AccessDeniedException denied -> denied.getFile() + ": permission denied";
      default -> String.valueOf(e.getMessage());
    };
  }

  private static CaptureReader reader(Path file) throws IOException {
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

  private static PcapngWriter writer(Path file) throws IOException {
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

  @Override
  public int poll(Handler handler, int limit) {
    return frames(handler, null, limit);
  }

  @Override
  public int pollInPlace(PlaceHandler handler, int limit) {
    return frames(handler, handler, limit);
  }

  private synchronized int frames(Handler handler, PlaceHandler place, int limit) {
    if (ended) {
      return -Errno.ECLOSED;
    }
    int count = 0;
    while (count < limit && !ended && next()) {
      MemorySegment frame = in.memory();
      int length = in.length();
      boolean datagram = UdpFrame.check(frame, 0, length, false) == Drop.NONE;
      handler.frame(frame, 0, length, datagram ? UdpFrame.received(frame, 0, PROTOCOL) : 0);
      if (place != null) {
        place.valid();
      }
      count++;
    }
    return count == 0 && ended ? -Errno.ECLOSED : count;
  }

  /** Moves to the next frame that fits. */
  private boolean next() {
    try {
      while (!read) {
        if (!in.next()) {
          read = true;
        } else if (in.linkType() == LinkType.ETHERNET
            && in.length() >= LEAST_FRAME
            && in.length() <= mtu) {
          return true;
        } else {
          skipped++;
        }
      }
      return false;
    } catch (IOException e) {
      end(e);
      return false;
    }
  }

  @Override
  public long overruns() {
    return 0;
  }

  /** Whether all frames of the file have arrived; any thread. */
  public synchronized boolean isAtEnd() {
    return read;
  }

  /**
   * Reads the file of arriving frames again from its begin; sent frames go on.
   *
   * @throws NetException EIO naming the file, ECLOSED after the end of the port; the port stays as
   *     it was
   */
  public synchronized void again() {
    if (ended) {
      throw new NetException(Errno.ECLOSED, "capture files of a port: the port has ended");
    }
    try {
      CaptureReader next = reader(arriving);
      in.close();
      in = next;
      read = false;
    } catch (IOException e) {
      throw failure(e);
    }
  }

  /** Frames of the file that did not fit; any thread. */
  public synchronized long skipped() {
    return skipped;
  }

  /** The reason of an end by a file; empty without one. Any thread. */
  public String failure() {
    return failure;
  }

  @Override
  public MemorySegment memory() {
    return memory;
  }

  @Override
  public int mtu() {
    return mtu;
  }

  @Override
  public long claim(int length) {
    if (ended) {
      return -Errno.ECLOSED;
    }
    if (length < LEAST_FRAME || length > mtu) {
      return -Errno.EMSGSIZE;
    }
    claimed = length;
    return 0;
  }

  @Override
  public synchronized int publish(int length, long signature) {
    if (ended) {
      return -Errno.ECLOSED;
    }
    if (length < LEAST_FRAME || length > claimed) {
      return -Errno.EINVAL;
    }
    claimed = 0;
    if (out == null) {
      return 0;
    }
    try {
      out.write(0, clockNs.getAsLong(), memory, 0, length, length, SENT);
      return 0;
    } catch (IOException e) {
      end(e);
      return -Errno.ECLOSED;
    }
  }

  @Override
  public synchronized int flush() {
    if (ended) {
      return -Errno.ECLOSED;
    }
    try {
      if (out != null) {
        out.flush();
      }
      return 0;
    } catch (IOException e) {
      end(e);
      return -Errno.ECLOSED;
    }
  }

  private void end(IOException cause) {
    ended = true;
    close(in, cause);
    if (out != null) {
      close(out, cause);
    }
    failure = text(cause);
  }

  /**
   * Writes what was published.
   *
   * @throws NetException EIO if the last frames cannot be written
   */
  @Override
  public synchronized void close() {
    if (ended) {
      return;
    }
    ended = true;
    try {
      in.close();
      if (out != null) {
        out.close();
      }
    } catch (IOException e) {
      failure = text(e);
      throw failure(e);
    }
  }

  private static void close(Closeable file, IOException cause) {
    try {
      file.close();
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }
}
