package io.isle.itests;

import io.isle.lib.ffi.NetNamespace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.file.Path;

/** Sends each datagram to a port of a network namespace back. */
final class UdpEcho implements AutoCloseable {
  private final DatagramSocket socket;

  UdpEcho(Path netns, int port) {
    try (NetNamespace space = NetNamespace.ofPath(netns)) {
      socket = space.call(() -> bound(port));
    }
    Thread.ofPlatform().daemon().start(this::work);
  }

  private static DatagramSocket bound(int port) {
    try {
      return new DatagramSocket(new InetSocketAddress("0.0.0.0", port));
    } catch (SocketException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void work() {
    DatagramPacket packet = new DatagramPacket(new byte[2048], 2048);
    try {
      while (true) {
        packet.setLength(2048);
        socket.receive(packet);
        socket.send(packet);
      }
    } catch (IOException e) {
      // closed
    }
  }

  @Override
  public void close() {
    socket.close();
  }
}
