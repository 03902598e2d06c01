package io.isle.api.fabric;

import java.util.List;
import java.util.Optional;

/**
 * One end of a path. A machine without threads: one thread at a time drives a port, by {@link
 * #poll} and by the data calls of its kind. No call blocks; data calls allocate no memory.
 */
public sealed interface RingPort extends AutoCloseable permits StreamPort, DatagramPort, BankPort {
  /** The state, written by the driving thread; may be read by any thread. */
  PortState state();

  /** The last failure and its remedy, in words; empty without one. Any thread. */
  String reason();

  /**
   * The error number of the kernel for the last failure, such as 111 for ECONNREFUSED; 0 without
   * one, or if the port does not know the number. Any thread.
   */
  default int failure() {
    return 0;
  }

  /** Address of the connected neighbour, if any. Any thread. */
  Optional<String> peer();

  /** Further facts, such as granted buffer sizes, one a line. Any thread. */
  List<String> notes();

  /**
   * The number of paths that came up; grows by one with each new neighbour. A link that finds
   * another number than before drops the begin of a packet of the old path.
   */
  long paths();

  /** Connections and datagrams of others than the neighbour that were refused. Any thread. */
  long foreign();

  /** Connections that were closed although permitted, see {@link LinkCounters#strays}. */
  long strays();

  /**
   * Does what time and descriptors require: binds, connects, accepts, detects a dead neighbour.
   *
   * @param nowNs of the monotonic clock
   * @return the time of the next call without an event, in the same clock; {@link Long#MAX_VALUE}
   *     for none
   */
  long poll(long nowNs);

  /**
   * Ends the path that is up, because its neighbour violates the protocol of the link, or is
   * silent. The port goes on with the next path. A port whose paths have no end, as that of
   * datagrams, forgets its neighbour, if it can.
   *
   * @param why in words, for {@link #reason}; empty for no failure
   */
  default void disconnect(String why) {}

  /**
   * Descriptors to wait for, for a thread that sleeps until the next event. A port adds the
   * descriptors that it needs itself, to accept and to connect; of the path that is up, only what
   * is wanted. Without a wanted event, a neighbour that hangs up is found by {@link #poll}.
   *
   * @param events receives each descriptor with {@link #READABLE} or {@link #WRITABLE}
   * @param wanted events of the path: 0, {@link #READABLE}, {@link #WRITABLE} or both
   */
  void interests(Interests events, int wanted);

  /** A descriptor has bytes, a connection or a failure. */
  int READABLE = 1;

  /** A descriptor has room, or its connection is up. */
  int WRITABLE = 2;

  /** Receives descriptors with their events. */
  @FunctionalInterface
  interface Interests {
    /**
     * @param descriptor stays open until the next call of the driving thread
     * @param events {@link #READABLE}, {@link #WRITABLE} or both
     */
    void add(int descriptor, int events);
  }

  /**
   * Ends the port and keeps its descriptors for a later version of the transport.
   *
   * @return empty if the port has nothing to keep; the port is closed in either case
   */
  Optional<ParkedPort> park();

  /** Closes all descriptors. Idempotent. */
  @Override
  void close();
}
