package io.isle.fabric.udp;

import io.isle.api.base.Errno;
import io.isle.lib.ffi.MessageBatch;
import java.lang.foreign.Arena;

/**
 * Takes the failures of datagrams that were sent off the socket: machines on the way, or that of
 * the next node, have told of them (ICMP). A failure ends nothing, but is counted. One thread at a
 * time.
 */
final class Unreachable {
  /** Failures of one call. */
  private static final int MOST = 64;

  private final Datagrams calls;
  private final MessageBatch failed = new MessageBatch(Arena.ofAuto().allocate(64, 8), 1);

  Unreachable(Datagrams calls) {
    this.calls = calls;
    failed.set(0, 0, 64);
  }

  /** Takes and counts all failures. */
  void take(UdpSocket socket) {
    int count = 0;
    int last = 0;
    for (int i = 0; i < MOST && calls.receiveError(socket.descriptor, failed) >= 0; i++) {
      int errno = failed.queuedError(0);
      // the sender of too large a datagram has the same code as its result
      if (errno != 0 && errno != Errno.EMSGSIZE) {
        count++;
        last = errno;
      }
    }
    if (count > 0) {
      socket.countUnreachable(count, last);
    }
  }
}
