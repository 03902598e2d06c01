package io.isle.net.xdp.socket;

import io.isle.api.base.Errno;
import io.isle.lib.ffi.Sockets;
import java.lang.foreign.Arena;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The bind of a socket: with zero copy first where that is wished, and again while busy. */
final class XskBind {
  private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Sockets sockets = new Sockets();
  private final int descriptor;
  private final XskWish wish;

  XskBind(int descriptor, XskWish wish) {
    this.descriptor = descriptor;
    this.wish = wish;
  }

  /**
   * Binds.
   *
   * @param way {@link Xdp#ZEROCOPY}, {@link Xdp#COPY} or {@link Xdp#SHARED_UMEM}
   * @param shared descriptor of the first socket, or negative
   * @return 0 or a negated errno
   */
  int bind(int way, int shared) {
    int code = retried(way, shared);
    return way == Xdp.ZEROCOPY && code == -Errno.ENOTSUP ? retried(Xdp.COPY, shared) : code;
  }

  /** The kernel ends a closed socket some time after the close. */
  private int retried(int way, int shared) {
    long begin = System.nanoTime();
    while (true) {
      int code = once(way, shared);
      if (code != -Errno.EBUSY || System.nanoTime() - begin >= wish.busyRetryNs()) {
        return code;
      }
      LockSupport.parkNanos(RETRY_NS);
    }
  }

  private int once(int way, int shared) {
    // a socket that shares frames shares this flag, too
    int flags = way == Xdp.SHARED_UMEM ? way : way | Xdp.USE_NEED_WAKEUP;
    try (Arena arena = Arena.ofConfined()) {
      return sockets.bind(descriptor, new XdpStructures(arena).address(wish, flags, shared));
    }
  }
}
