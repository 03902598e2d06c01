package io.isle.net.jobs;

import java.lang.foreign.MemorySegment;

/** The way of datagrams to an app and back. Calls but {@link #await} never wait. One thread. */
interface EchoPath extends AutoCloseable {
  /**
   * Sends one datagram.
   *
   * @return false without room
   */
  boolean send(MemorySegment from, long offset, int length);

  /**
   * Receives one datagram.
   *
   * @return bytes, at most those of {@code into}; -1 without one
   */
  int receive(MemorySegment into);

  /** Waits a little for a datagram. */
  void await(long millis);

  @Override
  void close();
}
