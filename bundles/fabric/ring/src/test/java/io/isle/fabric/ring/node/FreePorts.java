package io.isle.fabric.ring.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Ports of the loopback interface that nobody uses at the moment. */
final class FreePorts {
  private FreePorts() {}

  static List<Integer> tcp(int count) {
    List<ServerSocket> open = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        open.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      List<Integer> ports = open.stream().map(ServerSocket::getLocalPort).toList();
      for (ServerSocket one : open) {
        one.close();
      }
      return ports;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<Integer> udp(int count) {
    List<DatagramSocket> open = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        open.add(new DatagramSocket(0, InetAddress.getLoopbackAddress()));
      }
      List<Integer> ports = open.stream().map(DatagramSocket::getLocalPort).toList();
      open.forEach(DatagramSocket::close);
      return ports;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
