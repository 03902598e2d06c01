package io.isle.api.net;

import io.isle.api.base.Errno;
import java.lang.foreign.MemorySegment;

/**
 * Datagrams of UDP over IPv4 on a {@link FramePort}, which no other user has. A datagram to send is
 * written in place between {@link #claim} and {@link #publish} or {@link #reply}; it has no
 * checksum of UDP, and the tile writes the addresses of Ethernet. Calls allocate nothing and never
 * wait. One thread at a time, but for {@link #close}.
 */
public final class UdpPort implements AutoCloseable {
  /** Bytes of all headers of a datagram to send. */
  public static final int HEADER_BYTES = UdpHeaders.BYTES;

  /** Takes datagrams. */
  @FunctionalInterface
  public interface Handler {
    /**
     * Takes one datagram.
     *
     * @param datagram valid during the call
     */
    void datagram(UdpDatagram datagram);
  }

  private final FramePort port;
  private final UdpDatagram datagram = new UdpDatagram();
  private final FrameSource.Handler frames = this::take;
  private Handler handler;
  private long claimed = -1;
  private int room;
  private long ignored;

  /** Takes the port over. */
  public UdpPort(FramePort port) {
    this.port = port;
  }

  /**
   * Passes datagrams on, each a copy that cannot change.
   *
   * @param limit most frames that are looked at, 1 or more
   * @return frames that were looked at; 0 without one; -ECLOSED when the port has ended
   */
  public int poll(Handler to, int limit) {
    handler = to;
    return port.poll(frames, limit);
  }

  private void take(MemorySegment memory, long offset, int length, long signature) {
    if (datagram.read(memory, offset, length)) {
      handler.datagram(datagram);
    } else {
      ignored++;
    }
  }

  /** Frames that were no datagram of UDP over IPv4. */
  public long ignored() {
    return ignored;
  }

  /** Most bytes of a payload to send. */
  public int mtu() {
    return port.mtu() - HEADER_BYTES;
  }

  /** Where payloads are written; the same segment until the end of the port. */
  public MemorySegment memory() {
    return port.memory();
  }

  /**
   * Reserves memory for one datagram.
   *
   * @param payload most bytes, 0 to {@link #mtu}
   * @return offset of the payload in {@link #memory}; -EAGAIN without room; -EMSGSIZE; -ECLOSED
   *     when the port has ended
   */
  public long claim(int payload) {
    claimed = -1;
    if (payload < 0 || payload > mtu()) {
      return -Errno.EMSGSIZE;
    }
    long at = port.claim(HEADER_BYTES + payload);
    if (at < 0) {
      return at;
    }
    claimed = at;
    room = payload;
    return at + HEADER_BYTES;
  }

  /**
   * Hands over the claimed datagram; {@link #flush} makes sure that it leaves soon.
   *
   * @param payload bytes, 0 to the claimed number
   * @param source 0: the tile writes the address of the interface that the datagram leaves by
   * @return 0; -EINVAL without a claim or for a wrong length or port; -ECLOSED when the port has
   *     ended
   */
  public int publish(
      int payload, int source, int sourcePort, int destination, int destinationPort) {
    if (claimed < 0
        || payload < 0
        || payload > room
        || (sourcePort | destinationPort) >>> Character.SIZE != 0) {
      return -Errno.EINVAL;
    }
    long at = claimed;
    claimed = -1;
    UdpHeaders.write(
        port.memory(), at, source, sourcePort, destination, destinationPort, payload);
    return port.publish(
        HEADER_BYTES + payload, UdpHeaders.signature(destination, destinationPort));
  }

  /**
   * Hands the claimed datagram over to the sender of a received one.
   *
   * @param payload bytes, 0 to the claimed number
   * @param to valid, so within its call
   * @return as {@link #publish}
   */
  public int reply(int payload, UdpDatagram to) {
    return publish(
        payload, to.destination(), to.destinationPort(), to.source(), to.sourcePort());
  }

  /**
   * Sends what was published.
   *
   * @return 0; -ECLOSED when the port has ended
   */
  public int flush() {
    return port.flush();
  }

  /** Ends the port. Any thread. */
  @Override
  public void close() {
    port.close();
  }
}
