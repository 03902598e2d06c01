package io.isle.fabric.udp;

import io.isle.lib.ffi.MessageBatch;
import io.isle.lib.ffi.SockAddr;
import io.isle.lib.ffi.SocketOption;
import java.lang.foreign.MemorySegment;

/**
 * The calls of data on a socket. No call waits. A call returns bytes or datagrams, 0 or more, or a
 * negated errno. One thread at a time an object.
 */
interface Datagrams {
  /** Sends one datagram. */
  long send(int descriptor, MemorySegment data, long offset, long length, SockAddr to);

  /** Sends the first message of a batch, which the kernel cuts into datagrams. */
  long sendCut(int descriptor, MessageBatch batch);

  /** Sends the first messages of a batch, in order, until one fails. */
  int sendMany(int descriptor, MessageBatch batch, int count);

  /** Receives one datagram from a socket whose kernel joins none. */
  long receiveOne(int descriptor, MemorySegment into, long offset, long length, SockAddr source);

  /** Receives one datagram, or those that the kernel joined, as the first message of a batch. */
  long receive(int descriptor, MessageBatch batch);

  /** Receives up to {@code count} datagrams as the first messages of a batch. */
  int receiveMany(int descriptor, MessageBatch batch, int count);

  /**
   * Takes the next failed datagram off the queue of errors, as the first message of a batch.
   *
   * @return 0 or more; -EAGAIN without one
   */
  long receiveError(int descriptor, MessageBatch batch);

  /** Sets an option; 0 or a negated errno. */
  int set(int descriptor, SocketOption option, int value);

  /** The value of an option, or a negated errno. */
  int get(int descriptor, SocketOption option);
}
