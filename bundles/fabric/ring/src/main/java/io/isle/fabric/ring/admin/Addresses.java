package io.isle.fabric.ring.admin;

import io.isle.api.base.Errno;
import io.isle.api.fabric.LinkInfo;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingNodeInfo;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Addresses of this machine for nodes: free ports of the loopback interface, or names. */
final class Addresses {
  /** Below the ports that Linux gives to connections by default. */
  private static final int FIRST = 20_000;

  private static final int END = 32_768;
  private static final String LOOPBACK = "127.0.0.1";

  private Addresses() {}

  /**
   * An address for each node.
   *
   * @param transport name of an installed transport
   * @param nodes names of the nodes
   * @param all nodes whose addresses are not free, even while they do not listen
   */
  static List<String> of(String transport, List<String> nodes, List<RingNodeInfo> all) {
    return switch (transport) {
      case "tcp", "udp" -> ports(transport, nodes.size(), used(all));
      default -> nodes.stream().map(node -> transport + "://" + unique(node)).toList();
    };
  }

  /** Other instances on this machine may have nodes of the same name. */
  private static String unique(String node) {
    return node + ".%08x".formatted(ThreadLocalRandom.current().nextInt());
  }

  private static Set<String> used(List<RingNodeInfo> all) {
    Set<String> used = new HashSet<>();
    for (RingNodeInfo node : all) {
      for (LinkInfo link : List.of(node.prev(), node.next())) {
        link.addresses().forEach(address -> used.add(address.substring(address.lastIndexOf(':'))));
      }
    }
    return used;
  }

  private static List<String> ports(String transport, int count, Set<String> used) {
    List<String> found = new ArrayList<>();
    int begin = ThreadLocalRandom.current().nextInt(END - FIRST);
    for (int i = 0; i < END - FIRST && found.size() < count; i++) {
      int port = FIRST + (begin + i) % (END - FIRST);
      if (!used.contains(":" + port) && isFree(transport, port)) {
        found.add(transport + "://" + LOOPBACK + ":" + port);
      }
    }
    if (found.size() < count) {
      throw new RingException(
          Errno.EBUSY,
          "no " + count + " free ports of " + LOOPBACK + " within " + FIRST + " to " + (END - 1));
    }
    return found;
  }

  /** Nothing but a bind can tell. */
  private static boolean isFree(String transport, int port) {
    try {
      InetAddress loopback = InetAddress.getByName(LOOPBACK);
      if (transport.equals("udp")) {
        new DatagramSocket(port, loopback).close();
      } else {
        try (ServerSocket socket = new ServerSocket()) {
          socket.bind(new InetSocketAddress(loopback, port));
        }
      }
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
