package io.isle.api.fabric;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The place of a master in its ring: packets to the next node and from the previous node, and, of
 * dialect isle, the other way (LEAP transport layer, abstract interface). At most one thread sends
 * and one receives at a time: data calls of further threads return -EBUSY. All other calls are
 * thread-safe.
 *
 * <p>A data call moves one packet of exactly {@link #packetBytes} bytes and allocates no memory.
 * {@code timeoutNs} is 0 to {@link #MAX_TIMEOUT_NS}. A data call returns the number of bytes, or a
 * negated code:
 *
 * <ul>
 *   <li>-EAGAIN with timeout 0, and -ETIME after another timeout: no packet, or no room for one
 *   <li>-ENODATA: a packet was lost in this place; {@link #lastLoss} identifies it
 *   <li>-EINTR: of dialect leap, the link broke during the packet, which may or may not arrive
 *   <li>-ENOTCONN with timeout 0: no neighbour is connected
 *   <li>-EMSGSIZE: not {@link #packetBytes} bytes
 *   <li>-EINVAL: a timeout out of range, a range outside of the segment, memory of the heap, memory
 *       that the thread may not access, or a wrong control message
 *   <li>-ERANGE: of dialect leap, a sent packet looks like a control packet by its first two bytes
 *   <li>-ENOTSUP: the dialect of the link has no such operation
 *   <li>-ECANCELED: the thread was interrupted; its interrupt flag stays set
 *   <li>-EBUSY: another thread is in a call of this direction, or a packet is claimed
 *   <li>-EREVOKED: the capability was revoked, which also closes the endpoint
 *   <li>-ECLOSED: the endpoint or its node was closed
 * </ul>
 *
 * <p>After a negated code of a receiving call, the contents of its memory are undefined.
 *
 * <p>Memory of a call stays open until the return of the call. Otherwise the call throws an
 * IllegalStateException, and of dialect leap a packet that has begun is cut off.
 */
@ProviderType
public interface RingEndpoint extends AutoCloseable {
  /** Longest wait of a data call: one hour. */
  long MAX_TIMEOUT_NS = 3_600_000_000_000L;

  /** Name of the node. */
  String node();

  /** Bytes of each packet. */
  int packetBytes();

  /** The node with its links. */
  RingNodeInfo info();

  /**
   * Sends a packet to the next node.
   *
   * @param packet read before the return of the call, not afterwards
   */
  long sendNext(MemorySegment packet, long offset, long length, long timeoutNs);

  /**
   * Sends a packet of two parts to the next node.
   *
   * @param header first part, from its begin
   * @param headerLength bytes of the first part, 0 to 64
   * @param data second part
   */
  long sendNext(
      MemorySegment header,
      long headerLength,
      MemorySegment data,
      long offset,
      long length,
      long timeoutNs);

  /** Receives a packet of the previous node. After -ETIME, the begin of a packet stays here. */
  long recvPrev(MemorySegment into, long offset, long length, long timeoutNs);

  /** Sends a packet to the previous node; -ENOTSUP of dialect leap. */
  long sendPrev(MemorySegment packet, long offset, long length, long timeoutNs);

  /** Receives a packet of the next node; -ENOTSUP of dialect leap. */
  long recvNext(MemorySegment into, long offset, long length, long timeoutNs);

  /**
   * Claims memory in which the next packet to the next node is written in place: by shared memory,
   * that of the next node, if it has a free bank. The claim lasts until {@link #commitNext} or
   * {@link #abandonNext}, also through a reconnection; meanwhile other sends return -EBUSY.
   *
   * @return {@link #packetBytes}, or a negated code
   */
  long claimNext(long timeoutNs);

  /**
   * The claimed memory, {@link #packetBytes} bytes, for any thread; its contents are undefined
   * before the first write. An access after the end of the claim may change another packet of this
   * endpoint; after the close of the endpoint, an access throws an IllegalStateException.
   *
   * @throws IllegalStateException without a claim
   */
  MemorySegment claimed();

  /**
   * Sends the claimed packet, and ends the claim. After -EAGAIN, -ETIME, -ENOTCONN and -ERANGE the
   * claim stays.
   *
   * @return as {@link #sendNext}; -EPERM without a claim
   */
  long commitNext(long timeoutNs);

  /** Gives up the claim without a packet. Nothing without a claim. */
  void abandonNext();

  /**
   * Sends a control message to the next node, padded with zeros to the size of a packet.
   *
   * @param message 162 bytes, see the protocol of rings
   * @return as {@link #sendNext}; -EMSGSIZE in a ring with packets of fewer than 164 bytes
   */
  long sendControl(MemorySegment message, long offset, long timeoutNs);

  /**
   * Takes the next packet of the previous node if it is a control packet and is here as a whole;
   * never waits.
   *
   * @param into room for 162 bytes, which receives the message without its marker
   * @return 162; -EAGAIN if the next packet is not here as a whole, or is no control packet
   */
  long pollControl(MemorySegment into, long offset);

  /**
   * Divides the layers of the model among the workers of the ring, and waits up to five seconds for
   * the acknowledgement. Packets that arrive before it are kept for {@link #recvPrev}.
   *
   * @param boundaries 1 to 17 increasing numbers from 1 to the number of layers
   * @throws RingException EINVAL with the wrong boundary; ETIMEDOUT with the nodes that did not
   *     confirm; EBUSY during another call of this kind, or while the tenant's own packet is not
   *     sent; EMSGSIZE in a ring with packets of fewer than 164 bytes; ENOMEM when replies fill 64
   *     MiB before the acknowledgement; ENOTCONN, EREVOKED, ECLOSED, ECANCELED
   */
  List<LayerRange> resize(List<Integer> boundaries);

  /** The last loss that a receiving call reported. */
  Optional<RingLoss> lastLoss();

  /**
   * Calls {@code listener} after each change of state of the node or of a link, until the close of
   * the endpoint.
   */
  void listen(RingListener listener);

  /** Closes the endpoint; the node stays, and its links stay up. Idempotent. */
  @Override
  void close();
}
