package io.isle.benchmarks.ring;

import java.io.IOException;
import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Ports of the loopback interface that nobody uses at the moment, neither of TCP nor of UDP. */
final class FreePort {
  private FreePort() {}

  static int any() throws IOException {
    InetAddress here = InetAddress.getLoopbackAddress();
    while (true) {
      try (ServerSocket tcp = new ServerSocket(0, 1, here);
          DatagramSocket udp = new DatagramSocket(tcp.getLocalPort(), here)) {
        return udp.getLocalPort();
      } catch (BindException e) {
        continue;
      }
    }
  }
}
