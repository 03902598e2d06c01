package io.isle.fabric.shm;

import io.isle.api.base.Errno;
import io.isle.lib.ffi.PosixException;
import io.isle.lib.ffi.Sockets;
import java.util.List;

/**
 * A pair of connected sockets by which the neighbour wakes a sleeping thread of this side. An
 * eventfd would be one descriptor less, but its non-blocking mode belongs to both processes: the
 * neighbour could make our calls wait. Calls on a socket are non-blocking by themselves.
 */
final class Bell {
  static final int DESCRIPTORS = 2;

  private final ShmKernel kernel;
  private final int receiver;
  private final int sender;

  private Bell(ShmKernel kernel, int receiver, int sender) {
    this.kernel = kernel;
    this.receiver = receiver;
    this.sender = sender;
  }

  /**
   * Makes a bell.
   *
   * @throws PosixException EMFILE and others
   */
  static Bell make(ShmKernel kernel) {
    int[] pair = new int[2];
    int code = kernel.sockets.pair(Sockets.SOCK_STREAM, pair);
    if (code != 0) {
      throw new PosixException("socketpair", code);
    }
    return new Bell(kernel, pair[0], pair[1]);
  }

  /** The bell of parked descriptors. */
  static Bell of(ShmKernel kernel, List<Integer> descriptors) {
    return new Bell(kernel, descriptors.get(0), descriptors.get(1));
  }

  /** To wait on. */
  int receiver() {
    return receiver;
  }

  /** To pass to the neighbour. */
  int sender() {
    return sender;
  }

  /** Wakes the threads that wait on {@link #receiver}, or their next wait. */
  void ring() {
    int ignored = kernel.ring(sender);
  }

  /** Takes the rings; false if the neighbour has destroyed the bell. */
  boolean drain() {
    long got = kernel.io.receive(receiver, kernel.scratch, 0, kernel.scratch.byteSize(), 0);
    return got > 0 || got == -Errno.EAGAIN;
  }

  List<Integer> descriptors() {
    return List.of(receiver, sender);
  }

  void close() {
    kernel.close(receiver);
    kernel.close(sender);
  }
}
