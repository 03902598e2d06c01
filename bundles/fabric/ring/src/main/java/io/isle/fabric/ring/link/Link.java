package io.isle.fabric.ring.link;

import io.isle.api.fabric.HopTimes;
import io.isle.api.fabric.LinkInfo;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingLoss;
import io.isle.api.fabric.RingTransport;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Function;

/**
 * A link to a neighbour: packets of one size by paths that come and go. At most one thread receives
 * and one sends. {@link #attach}, {@link #detach}, {@link #change} and {@link #close} belong to the
 * thread of the rings; all other calls are thread-safe.
 */
public interface Link extends AutoCloseable {
  /** The settings. */
  LinkSpec spec();

  /**
   * Receives a packet.
   *
   * @param into native memory with room for a packet at {@code offset}
   * @param timeoutNs 0 or more
   * @return bytes, or a negated code as for an endpoint
   */
  long receive(MemorySegment into, long offset, long timeoutNs, Caller caller);

  /**
   * What is left of the timeout of the last {@link #receive}, at least 1; the receiving thread's.
   */
  long leftNs(long timeoutNs);

  /**
   * Whether the packet of the last {@link #receive} may be a control message; the receiving
   * thread's. Of dialect leap, only its bytes tell.
   */
  boolean mayBeControl();

  /**
   * Number of the packet of the last {@link #receive} on its link; 0 if the dialect has none. The
   * receiving thread's.
   */
  long number();

  /**
   * Sends a packet of two parts.
   *
   * @param head native memory; read from its begin
   * @param headLength 0 or more
   * @param data native memory
   * @param timeoutNs 0 or more
   * @return bytes, or a negated code as for an endpoint
   */
  long send(
      MemorySegment head,
      long headLength,
      MemorySegment data,
      long offset,
      long length,
      long timeoutNs,
      Caller caller);

  /**
   * Sends a packet that is a control message, padded with zeros.
   *
   * @return as {@link #send}
   */
  long sendControl(MemorySegment packet, long timeoutNs, Caller caller);

  /**
   * Claims memory of the neighbour in which the next packet may be written, until {@link #commit}
   * or {@link #abandon}. Nothing is sent by {@link #send} meanwhile.
   *
   * @return null if the link has none now; the packet is then sent by {@link #send}
   */
  default MemorySegment claim() {
    return null;
  }

  /**
   * Sends the packet in claimed memory, and ends the claim unless the code is negative.
   *
   * @return as {@link #send}
   */
  default long commit(MemorySegment packet, long timeoutNs, Caller caller) {
    throw new IllegalStateException("nothing is claimed");
  }

  /** Ends the claim, if any. */
  default void abandon() {}

  /** Ends the claim, and each access to memory that was claimed: the user of the link changes. */
  default void revoke() {}

  /**
   * The next packet if it is here as a whole and {@code wanted} accepts it; never waits.
   *
   * @return bytes of the packet; -EAGAIN
   */
  long take(Wanted wanted);

  /** Looks at a packet, and copies it if it is wanted. */
  @FunctionalInterface
  interface Wanted {
    /**
     * Whether the packet is to be removed from the link.
     *
     * @param mayBeControl as {@link Link#mayBeControl}
     */
    boolean accepts(MemorySegment packet, boolean mayBeControl);
  }

  /**
   * A transport has come: opens ports, or adopts parked ones.
   *
   * @throws RingException as {@link RingTransport#open}; the link stays without this port
   */
  void attach(String transport, RingTransport service);

  /**
   * Other settings with packets of the same size and the same dialect.
   *
   * @param transports gives a transport by its name, or null
   * @throws RingException as {@link RingTransport#open}
   */
  void change(LinkSpec to, Function<String, RingTransport> transports);

  /** The settings were set again: a change of path that was given up is tried again. */
  default void retry(Function<String, RingTransport> transports) {}

  /** A transport goes: parks its ports. */
  void detach(String transport);

  /** Closes what {@link #detach} has parked. */
  void dropParked(String transport);

  /** Ends the waits of data calls, so that the calls ask their {@link Caller}. */
  void wake();

  /** The work of the agent that watches links without a waiting thread. */
  LinkWatch watch();

  /** The last loss. */
  Optional<RingLoss> lastLoss();

  /** Times of packets to the neighbour and back, if the protocol measures them. */
  Optional<HopTimes> hop();

  /** The error number of the kernel for the last failure of the port; 0 if not known. */
  int failure();

  /** A number that changes with each counter of {@link #info}. */
  long counted();

  /** The link as it is now. */
  LinkInfo info();

  /** Closes all ports. No data call may run or begin. */
  @Override
  void close();
}
