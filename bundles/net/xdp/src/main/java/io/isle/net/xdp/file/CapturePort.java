package io.isle.net.xdp.file;

import io.isle.api.base.Errno;
import io.isle.api.net.FramePort;
import io.isle.api.net.NetException;
import io.isle.lib.packet.Drop;
import io.isle.lib.packet.UdpFrame;
import io.isle.lib.packet.capture.Direction;
import io.isle.lib.packet.capture.PcapngWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
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

  private static final int LEAST_FRAME = ArrivingFrames.LEAST_FRAME;
  private static final PcapngWriter.Facts SENT =
      new PcapngWriter.Facts(Direction.OUTBOUND, PcapngWriter.NO_QUEUE, 0, "");

  private final ArrivingFrames in;
  private final PcapngWriter out;
  private final int mtu;
  private final LongSupplier clockNs;
  private final MemorySegment memory;
  private int claimed;
  private volatile boolean ended;
  private volatile String failure = "";

  private CapturePort(ArrivingFrames in, PcapngWriter out, int mtu, LongSupplier clockNs) {
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
    if (mtu < LEAST_FRAME || mtu > CaptureFiles.MOST_FRAME) {
      throw new NetException(
          Errno.EINVAL,
          "mtu " + mtu + " is not in " + LEAST_FRAME + ".." + CaptureFiles.MOST_FRAME);
    }
    ArrivingFrames in = null;
    try {
      in = new ArrivingFrames(arriving, mtu);
      if (sent != null && Files.exists(sent) && Files.isSameFile(arriving, sent)) {
        throw new IOException(sent + ": the file of sent frames is the one that is read");
      }
      PcapngWriter out = sent == null ? null : CaptureFiles.writer(sent);
      return new CapturePort(in, out, mtu, clockNs);
    } catch (IOException e) {
      if (in != null) {
        CaptureFiles.close(in, e);
      }
      throw CaptureFiles.failure(e);
    }
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
      return in.next();
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
    return in.isAtEnd();
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
      in.again();
    } catch (IOException e) {
      throw CaptureFiles.failure(e);
    }
  }

  /** Frames of the file that did not fit; any thread. */
  public synchronized long skipped() {
    return in.skipped();
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
    CaptureFiles.close(in, cause);
    if (out != null) {
      CaptureFiles.close(out, cause);
    }
    failure = CaptureFiles.text(cause);
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
      failure = CaptureFiles.text(e);
      throw CaptureFiles.failure(e);
    }
  }
}
