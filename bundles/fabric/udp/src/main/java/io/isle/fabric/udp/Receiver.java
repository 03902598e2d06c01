package io.isle.fabric.udp;

import io.isle.api.base.Errno;
import io.isle.lib.ffi.MessageBatch;
import io.isle.lib.ffi.SockAddr;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Receives datagrams of one size and one source at a time: one, or those that the kernel has joined
 * (UDP_GRO), straight into the memory of the link, or several by recvmmsg, which are copied.
 * Allocates nothing while the memory stays the same. One thread at a time.
 */
final class Receiver {
  /** Datagrams of one recvmmsg. */
  private static final int SLOTS = 32;

  /** More than a datagram of the protocol: a larger one is seen to be too large. */
  private static final int SLOT_BYTES = 2048;

  /** Batches of foreign sources in one call, so that a flood does not hold the caller. */
  private static final int MOST_FOREIGN = 64;

  /** Decides about sources. */
  interface Sources {
    /** Whether datagrams of a source are wanted; if not, they are counted. */
    boolean admits(SockAddr source);
  }

  private final Datagrams calls;
  private final BoundBatch bound = new BoundBatch(1);
  private final SockAddr single = new SockAddr();

  private MessageBatch several;
  private MemorySegment slots;
  private int at;
  private int count;

  private int segment;

  Receiver(Datagrams calls) {
    this.calls = calls;
  }

  /** Bytes of each datagram but the last of the last receive. */
  int segment() {
    return segment;
  }

  /**
   * Receives datagrams of one source.
   *
   * @return bytes; -EAGAIN, or a negated errno of the kernel
   */
  long receive(UdpSocket socket, MemorySegment into, long offset, long length, Sources sources) {
    for (int foreign = 0; foreign < MOST_FOREIGN; foreign++) {
      long bytes =
          switch (at < count ? UdpSocket.Reads.SEVERAL : socket.reads()) {
            case ONE -> receiveOne(socket, into, offset, length, sources);
            case JOINED -> receiveJoined(socket, into, offset, length, sources);
            case SEVERAL -> receiveSeveral(socket, into, offset, length, sources);
          };
      if (bytes != 0) {
        return bytes;
      }
    }
    return -Errno.EAGAIN;
  }

  /** Bytes; 0 if all were foreign; or a negated errno. */
  private long receiveOne(
      UdpSocket socket, MemorySegment into, long offset, long length, Sources sources) {
    long bytes = calls.receiveOne(socket.descriptor, into, offset, length, single);
    if (bytes < 0) {
      return bytes;
    }
    segment = (int) Math.max(1, bytes);
    return sources.admits(single) ? bytes : 0;
  }

  /** As {@link #receiveOne}. */
  private long receiveJoined(
      UdpSocket socket, MemorySegment into, long offset, long length, Sources sources) {
    MessageBatch joined = bound.on(into);
    joined.set(0, offset, length);
    long bytes = calls.receive(socket.descriptor, joined);
    if (bytes < 0) {
      return bytes;
    }
    segment = Math.max(1, joined.receivedSegmentSize(0));
    return sources.admits(joined.address(0)) ? bytes : 0;
  }

  private long receiveSeveral(
      UdpSocket socket, MemorySegment into, long offset, long length, Sources sources) {
    if (at == count) {
      if (several == null) {
        slots = Arena.ofAuto().allocate((long) SLOTS * SLOT_BYTES, 64);
        several = new MessageBatch(slots, SLOTS);
        for (int i = 0; i < SLOTS; i++) {
          several.set(i, (long) i * SLOT_BYTES, SLOT_BYTES);
        }
      }
      int received = calls.receiveMany(socket.descriptor, several, SLOTS);
      if (received < 0) {
        return received;
      }
      at = 0;
      count = received;
    }
    SockAddr source = several.address(at);
    if (!sources.admits(source)) {
      at++;
      return 0;
    }
    segment = Math.max(1, several.length(at));
    long bytes = 0;
    boolean goesOn = true;
    while (goesOn && at < count && several.address(at).sameAs(source)) {
      int size = several.length(at);
      goesOn = size == segment;
      if (size > segment || size > length - bytes) {
        break;
      }
      MemorySegment.copy(slots, (long) at * SLOT_BYTES, into, offset + bytes, size);
      bytes += size;
      at++;
    }
    return bytes;
  }
}
