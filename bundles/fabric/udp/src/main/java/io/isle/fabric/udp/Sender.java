package io.isle.fabric.udp;

import io.isle.api.base.Errno;
import io.isle.lib.ffi.MessageBatch;
import io.isle.lib.ffi.SockAddr;
import io.isle.lib.ffi.SocketErrors;
import java.lang.foreign.MemorySegment;

/**
 * Sends batches of datagrams from memory of the link: by one call that the kernel cuts
 * (UDP_SEGMENT), or by sendmmsg where the kernel does not. Cutting may fail at any time, because
 * the device or the route has changed: the same batch then goes by sendmmsg, and so do all later
 * ones. Allocates nothing while the memory stays the same. One thread at a time.
 */
final class Sender {
  /** Most datagrams that the kernel cuts a batch into. */
  static final int MOST_SEGMENTS = 64;

  /** Most bytes of a datagram of IPv4, and so of a batch. */
  static final int MOST_BYTES = 65_507;

  private final Datagrams calls;
  private final BoundBatch cut = new BoundBatch(1);
  private final BoundBatch several = new BoundBatch(MOST_SEGMENTS);

  Sender(Datagrams calls) {
    this.calls = calls;
  }

  /**
   * Sends datagrams of one size, the last one maybe shorter.
   *
   * @return bytes that went, whole datagrams; or a negated errno of the kernel
   */
  long send(
      UdpSocket socket, MemorySegment data, long offset, long length, int segment, SockAddr to) {
    if (segment < 1 || segment > UdpSettings.DATAGRAM) {
      return -Errno.EMSGSIZE;
    }
    long most = (long) Math.min(MOST_SEGMENTS, MOST_BYTES / segment) * segment;
    long bytes = Math.min(length, most);
    if (bytes <= segment) {
      return calls.send(socket.descriptor, data, offset, bytes, to);
    }
    if (socket.cuts()) {
      long sent = sendCut(socket, data, offset, bytes, segment, to);
      if (sent >= 0 || !isOfCutting((int) sent)) {
        return sent;
      }
      socket.sendUncut((int) sent);
    }
    return sendOneByOne(socket, data, offset, bytes, segment, to);
  }

  private static boolean isOfCutting(int code) {
    return code == -Errno.EIO || code == -Errno.EINVAL || code == -SocketErrors.ENOPROTOOPT;
  }

  /** The size is that of the call: as an option of the socket, each datagram alone costs more. */
  private long sendCut(
      UdpSocket socket, MemorySegment data, long offset, long bytes, int segment, SockAddr to) {
    MessageBatch batch = cut.on(data);
    batch.set(0, offset, bytes);
    batch.segmentSize(0, segment);
    batch.address(0).copyFrom(to);
    return calls.sendCut(socket.descriptor, batch);
  }

  private long sendOneByOne(
      UdpSocket socket, MemorySegment data, long offset, long bytes, int segment, SockAddr to) {
    MessageBatch batch = several.on(data);
    int count = (int) ((bytes + segment - 1) / segment);
    for (int i = 0; i < count; i++) {
      long at = (long) i * segment;
      batch.set(i, offset + at, Math.min(segment, bytes - at));
      batch.address(i).copyFrom(to);
    }
    int sent = calls.sendMany(socket.descriptor, batch, count);
    return sent < 0 ? sent : Math.min(bytes, (long) sent * segment);
  }
}
