package io.isle.api.fabric;

import java.lang.foreign.MemorySegment;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * A port of a transport that carries datagrams, such as UDP. One datagram has at most {@link
 * #maxDatagram} bytes. The memory of data calls belongs to the link, never to a tenant; a link
 * passes the same segment each time, and a port may allocate when another one comes.
 */
@ConsumerType
public non-sealed interface DatagramPort extends RingPort {
  /** Largest datagram without its headers of IP and UDP. */
  int maxDatagram();

  /** Largest number of bytes of one {@link #send}. */
  int maxBatch();

  /**
   * Bytes of datagrams that may wait for {@link #receive} without a loss; {@link Integer#MAX_VALUE}
   * if not known.
   */
  default int receiveBuffer() {
    return Integer.MAX_VALUE;
  }

  /**
   * Sends datagrams of equal size to the neighbour; the last one may be shorter.
   *
   * @param batch memory of the caller that may be read until the return of the call
   * @param segment bytes of each datagram but the last
   * @return sent bytes, a multiple of {@code segment} or {@code length}; -EAGAIN without room;
   *     -ENOTCONN without an address; -EMSGSIZE for a path with a smaller MTU, see {@link #reason}
   */
  long send(MemorySegment batch, long offset, long length, int segment);

  /**
   * Receives datagrams of equal size of one source; the last one may be shorter. Datagrams of a
   * foreign source are counted and skipped.
   *
   * @param into room for at least 65535 bytes
   * @return received bytes; -EAGAIN without datagrams
   */
  long receive(MemorySegment into, long offset, long length);

  /** Bytes of each datagram but the last of the last {@link #receive}. */
  int segment();

  /**
   * The source of the last {@link #receive} sent a valid chunk. The first such source becomes the
   * neighbour until it is silent for five seconds.
   */
  void accept(long nowNs);
}
