package io.isle.net.xdp.attach;

import io.isle.api.base.Errno;
import io.isle.lib.ffi.SockAddr;
import io.isle.lib.ffi.SocketErrors;
import io.isle.lib.ffi.Sockets;
import java.util.function.IntConsumer;

/** Accepts connections of a listening socket; pauses while descriptors are short. One thread. */
final class AttachDoor {
  private static final System.Logger LOG = System.getLogger(AttachDoor.class.getName());

  private static final int MOST_ACCEPTS = 16;
  private static final long PAUSE_NS = 100_000_000L;

  private final Sockets sockets;
  private final SockAddr unnamed = new SockAddr();
  private final int listener;
  private boolean pausing;
  private long pauseEndsNs;

  /**
   * @param listener stays the caller's
   */
  AttachDoor(Sockets sockets, int listener) {
    this.sockets = sockets;
    this.listener = listener;
  }

  /**
   * Accepts what waits, but for a pause.
   *
   * @param newcomer gets the descriptor of each connection
   */
  void accept(long nowNs, IntConsumer newcomer) {
    if (pausing && nowNs - pauseEndsNs < 0) {
      return;
    }
    pausing = false;
    for (int i = 0; i < MOST_ACCEPTS; i++) {
      int socket = sockets.accept(listener, unnamed);
      if (socket == -Errno.EAGAIN) {
        return;
      }
      if (socket >= 0) {
        newcomer.accept(socket);
      } else if (socket != -SocketErrors.ECONNABORTED) {
        // descriptors or memory are short: the connection waits, and nobody spins
        LOG.log(
            System.Logger.Level.WARNING,
            "A process could not connect: {0}",
            SocketErrors.text(socket));
        pausing = true;
        pauseEndsNs = nowNs + PAUSE_NS;
        return;
      }
    }
  }

  /** The descriptor to wait for; -1 in a pause. */
  int watched() {
    return pausing ? -1 : listener;
  }

  /** The end of a pause; {@link Long#MAX_VALUE} without one. */
  long deadlineNs() {
    return pausing ? pauseEndsNs : Long.MAX_VALUE;
  }
}
