package io.isle.fabric.jobs;

import io.isle.api.base.Errno;
import io.isle.api.fabric.Dialect;
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
import java.util.Optional;
import java.util.concurrent.TimeUnit;

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
    try (Detour detour = new Detour(node, info, next, transport + "://" + LOOPBACK + ":")) {
      detour.take(streams);
      cutting.run();
      if (ms == 0) {
        relays.cut(node);
      } else {
        relays.set(node, Map.of("black_hole", "both"));
        TimeUnit.MILLISECONDS.sleep(ms);
      }
    }
  }

  /** The way by a relay, and back. A link of dialect isle needs a new address at the next node. */
  private final class Detour implements AutoCloseable {
    private final String node;
    private final RingNodeInfo before;
    private final String next;
    private final String prefix;
    private final Optional<RingNodeInfo> target;

    Detour(String node, RingNodeInfo before, String next, String prefix) {
      this.node = node;
      this.before = before;
      this.next = next;
      this.prefix = prefix;
      target =
          before.next().dialect() == Dialect.LEAP
              ? Optional.empty()
              : admin.nodes().stream()
                  .filter(one -> one.ring().equals(before.ring()))
                  .filter(one -> one.prev().addresses().contains(next))
                  .findFirst();
    }

    void take(boolean streams) throws InterruptedException {
      String to = target.isPresent() ? prefix + freePort(streams) : next;
      String listen = prefix + freePort(streams);
      relays.create(node, Map.of("fault_injection", "true", "listen", listen, "to", to));
      target.ifPresent(one -> listen(one, to));
      admin.set(node, Map.of("next", listen));
      await(node, before.next().counters().paths());
    }

    private void listen(RingNodeInfo at, String further) {
      String all = String.join(",", at.prev().addresses());
      admin.set(at.name(), Map.of("listen", further.isEmpty() ? all : all + "," + further));
    }

    @Override
    public void close() {
      if (admin.find(node).isPresent()) {
        admin.set(node, Map.of("next", next));
        target.ifPresent(one -> listen(one, ""));
      }
      boolean _ = relays.remove(node);
    }
  }

  /** Waits until a new path is up, by the relay. */
  private void await(String node, long before) throws InterruptedException {
    long end = System.nanoTime() + PATH_NS;
    while (relay(node).connections() == 0 || paths(node) <= before) {
      if (System.nanoTime() - end >= 0) {
        throw new RingException(
            Errno.ETIMEDOUT,
            node
                + ": no path comes up by the relay "
                + relay(node).reason()
                + ": "
                + admin.find(node).orElseThrow().links());
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
