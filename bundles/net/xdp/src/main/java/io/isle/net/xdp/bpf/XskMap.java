package io.isle.net.xdp.bpf;

import io.isle.lib.ffi.Bpf;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;

/** The sockets of AF_XDP of an interface by queue. */
public final class XskMap extends BpfMap {
  /**
   * An empty map.
   *
   * @param queues 1 or more
   * @throws io.isle.api.net.NetException EPERM and others
   */
  public XskMap(int queues) {
    super(Bpf.MAP_XSK, Integer.BYTES, queues, "isle_xsks");
  }

  /**
   * Gives a queue its socket, in the place of another.
   *
   * @param queue below {@link #entries}
   * @param socket descriptor of a socket of AF_XDP
   * @throws io.isle.api.net.NetException E2BIG, EBADF, EOPNOTSUPP for another socket
   */
  public void put(int queue, int socket) {
    try (Arena arena = Arena.ofConfined()) {
      int result =
          Bpf.update(
              descriptor(), key(arena, queue), arena.allocateFrom(ValueLayout.JAVA_INT, socket));
      int ignored = Kernel.checked(result, "socket of queue " + queue);
    }
  }

  /** Takes a queue's socket out; nothing without one. */
  public void remove(int queue) {
    try (Arena arena = Arena.ofConfined()) {
      int ignored =
          Kernel.checked(
              Bpf.delete(descriptor(), key(arena, queue)),
              "removal of the socket of queue " + queue);
    }
  }
}
