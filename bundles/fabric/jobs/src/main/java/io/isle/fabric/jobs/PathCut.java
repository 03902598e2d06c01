package io.isle.fabric.jobs;

import io.isle.api.base.Errno;
import io.isle.api.fabric.ImpairmentInfo;
import io.isle.api.fabric.Impairments;
import io.isle.api.fabric.RingAdmin;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingNodeInfo;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Cuts the path from a node to its next node: a relay comes between both while packets travel,
 * harms the path, and goes again.
 */
final class PathCut {
  private static final long PATH_NS = TimeUnit.SECONDS.toNanos(10);
  private static final long LOOK_MS = 5;
  private static final String LOOPBACK = "127.0.0.1";

  private final RingAdmin admin;
  private final Impairments relays;

  PathCut(RingAdmin admin, Impairments relays) {
    this.admin = admin;
    this.relays = relays;
  }

  /**
   * Cuts a path.
   *
   * @param ms milliseconds during which nothing passes; 0: the connection is reset, and may come
   *     back at once
   * @param cutting called just before the cut
   * @throws RingException ENOTSUP for a transport without a relay, and for a reset of datagrams
   */
  void run(String node, long ms, Runnable cutting) throws InterruptedException {
    RingNodeInfo info = admin.find(node).orElseThrow(() -> gone(node));
    String next = info.next().addresses().getFirst();
    String transport = next.substring(0, next.indexOf("://"));
    boolean streams = transport.equals("tcp");
    if (!streams && !transport.equals("udp")) {
      throw new RingException(
          Errno.ENOTSUP, node + ": no relay can stand in a path by " + transport + "; use tcp");
    }
    if (!streams && ms == 0) {
      throw new RingException(
          Errno.ENOTSUP, node + ": datagrams have no connection to cut; set for_ms");
    }
    String listen = transport + "://" + LOOPBACK + ":" + freePort(streams);
    relays.create(node, Map.of("fault_injection", "true", "listen", listen, "to", next));
    try {
      long paths = info.next().counters().paths();
      change(node, listen, () -> relay(node).connections() > 0 && paths(node) > paths);
      cutting.run();
      if (ms == 0) {
        relays.cut(node);
      } else {
        relays.set(node, Map.of("black_hole", "true"));
        TimeUnit.MILLISECONDS.sleep(ms);
      }
    } finally {
      if (admin.find(node).isPresent()) {
        admin.set(node, Map.of("next", next));
      }
      boolean ignored = relays.remove(node);
    }
  }

  private void change(String node, String next, BooleanSupplier passes)
      throws InterruptedException {
    admin.set(node, Map.of("next", next));
    long end = System.nanoTime() + PATH_NS;
    while (!passes.getAsBoolean()) {
      if (System.nanoTime() - end >= 0) {
        throw new RingException(
            Errno.ETIMEDOUT,
            node + ": the relay got no connection: " + admin.find(node).orElseThrow().links());
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MS);
    }
  }

  private long paths(String node) {
    return admin.find(node).orElseThrow(() -> gone(node)).next().counters().paths();
  }

  private ImpairmentInfo relay(String node) {
    return relays.find(node).orElseThrow(() -> gone(node));
  }

  private static RingException gone(String node) {
    return new RingException(Errno.ENOENT, node + ": the node or its relay was removed");
  }

  private static int freePort(boolean streams) {
    try {
      InetAddress loopback = InetAddress.getByName(LOOPBACK);
      if (streams) {
        try (ServerSocket socket = new ServerSocket(0, 1, loopback)) {
          return socket.getLocalPort();
        }
      }
      try (DatagramSocket socket = new DatagramSocket(0, loopback)) {
        return socket.getLocalPort();
      }
    } catch (IOException e) {
      throw new RingException(Errno.EBUSY, "no free port: " + e.getMessage(), e);
    }
  }
}
