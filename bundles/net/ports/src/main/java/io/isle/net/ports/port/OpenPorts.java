package io.isle.net.ports.port;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The open ports of a scheme, which end with it. Thread-safe. */
public final class OpenPorts {
  private final List<BasePort> ports = new ArrayList<>();
  private boolean ended;

  /**
   * Opens a port.
   *
   * @throws NetException ECLOSED after the end
   */
  public synchronized <T extends BasePort> T open(Supplier<T> opener) {
    if (ended) {
      throw new NetException(Errno.ECLOSED, "the scheme of the port has ended");
    }
    ports.removeIf(BasePort::isClosed);
    T port = opener.get();
    ports.add(port);
    return port;
  }

  /** Ends all ports, and opens no others. */
  public synchronized void end() {
    ended = true;
    ports.forEach(port -> port.fail("the bundle of the port has ended"));
    ports.clear();
  }
}
