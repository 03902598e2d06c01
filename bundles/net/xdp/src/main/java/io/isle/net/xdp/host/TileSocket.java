package io.isle.net.xdp.host;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import io.isle.lib.ffi.UnixConnection;
import io.isle.lib.ffi.UnixListener;
import java.security.SecureRandom;
import java.util.HexFormat;

/** The socket at which one process connects to the platform. One thread at a time. */
final class TileSocket implements AutoCloseable {
  private static final int RANDOM_BYTES = 16;
  private static final int LOOK_MS = 100;

  private final String name;
  private final UnixListener listener;

  TileSocket() {
    byte[] random = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(random);
    name = "isle-tile-" + HexFormat.of().formatHex(random);
    listener = UnixListener.listen(name);
  }

  /** What nobody else can guess. */
  String name() {
    return name;
  }

  /**
   * Waits until the process has connected.
   *
   * @param end by {@link System#nanoTime}
   * @throws NetException ENODEV if it does not
   */
  UnixConnection accept(Process process, long end) {
    while (process.isAlive() && System.nanoTime() - end < 0) {
      var accepted = listener.accept(LOOK_MS);
      if (accepted.isPresent()) {
        UnixConnection connection = accepted.get();
        if (connection.peerPid() == process.pid()) {
          return connection;
        }
        connection.close();
      }
    }
    throw new NetException(Errno.ENODEV, "no connection to the platform");
  }

  @Override
  public void close() {
    listener.close();
  }
}
