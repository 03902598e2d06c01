package io.isle.net.ports.pcap;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.api.net.port.PortOptions;
import io.isle.lib.packet.capture.CaptureReader;
import io.isle.net.ports.port.BasePort;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * The frames of a capture file of any link type, as fast as they are read. The port ends behind the
 * last frame. Nothing can be sent.
 */
final class PcapPort extends BasePort {
  private final CaptureReader reader;
  private final int largest;

  private PcapPort(String address, CaptureReader reader, int largest) {
    super(address, MemorySegment.ofArray(new byte[0]), 0, 0);
    this.reader = reader;
    this.largest = largest;
  }

  /**
   * Opens a file.
   *
   * @param file a regular file, pcap or pcapng
   * @throws NetException ENOENT, EACCES, EINVAL or EIO, naming the file
   */
  static PcapPort open(String file, PortOptions options) {
    String address = PcapPorts.NAME + ":" + file;
    try {
      return new PcapPort(address, reader(Path.of(file)), options.mtu());
    } catch (InvalidPathException e) {
      throw new NetException(Errno.EINVAL, address + ": no path of a file", e);
    } catch (NoSuchFileException e) {
      throw new NetException(Errno.ENOENT, address + ": no such file", e);
    } catch (AccessDeniedException e) {
      throw new NetException(Errno.EACCES, address + ": permission denied", e);
    } catch (IOException e) {
      throw new NetException(Errno.EIO, "pcap:" + e.getMessage(), e);
    }
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
      stream.close();
      throw e;
    }
  }

  @Override
  protected int receive(Handler handler, PlaceHandler place, int limit) {
    int count = 0;
    for (int taken = 0; taken < limit && !isClosed() && next(); taken++) {
      int length = reader.length();
      if (length > 0 && length <= largest) {
        pass(handler, place, reader.memory(), 0, length);
        count++;
      } else {
        drop();
      }
    }
    return count;
  }

  private boolean next() {
    try {
      if (reader.next()) {
        return true;
      }
      close();
    } catch (IOException e) {
      fail("pcap:" + e.getMessage());
    }
    return false;
  }

  @Override
  protected boolean send(int length) {
    return false;
  }

  @Override
  protected long lost() {
    return 0;
  }

  @Override
  public int descriptor() {
    return -1;
  }

  @Override
  protected void release() {
    try {
      reader.close();
    } catch (IOException e) {
      // a file that was only read has nothing to lose
    }
  }
}
