package io.isle.fabric.ring.node;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of the loopback interface that nobody uses at the moment. They lie below those that the
 * kernel gives to connections, so that no connection of another test takes one meanwhile.
 */
final class FreePorts {
  private static final int FIRST = 10_000;
  private static final int BEHIND = 32_000;
  private static final int TRIES = 1000;

  private FreePorts() {}

  /** Takes a port, and tells whether nobody else has it. */
  @FunctionalInterface
  private interface Try {
    AutoCloseable open(int port) throws IOException;
  }

  static List<Integer> tcp(int count) {
    return free(count, port -> new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
  }

  static List<Integer> udp(int count) {
    return free(count, port -> new DatagramSocket(port, InetAddress.getLoopbackAddress()));
  }

  private static List<Integer> free(int count, Try attempt) {
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i < TRIES && found.size() < count; i++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, BEHIND);
      if (!found.contains(port) && isFree(port, attempt)) {
        found.add(port);
      }
    }
    if (found.size() < count) {
      throw new IllegalStateException("no " + count + " free ports");
    }
    return found;
  }

  private static boolean isFree(int port, Try attempt) {
    try (AutoCloseable taken = attempt.open(port)) {
      return taken != null;
    } catch (IOException e) {
      return false;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
