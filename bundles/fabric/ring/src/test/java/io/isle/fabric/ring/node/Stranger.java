package io.isle.fabric.ring.node;

import io.isle.lib.leap.isle.FrameCrc;
import io.isle.lib.leap.isle.Hello;
import io.isle.lib.leap.isle.IsleFrame;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** A program that reaches a port of a node, and is not of its ring. */
final class Stranger implements AutoCloseable {
  /**
   * Each stranger has an address of its own: a new connection between the ends of an old one that
   * the kernel has not forgotten may be refused.
   */
  private static final AtomicInteger STRANGERS = new AtomicInteger(1 << 16);

  private final Socket socket = new Socket();

  /** Connects to an address such as tcp://127.0.0.1:9999. */
  Stranger(String address) {
    try {
      // its end is a reset, which leaves no port behind that waits
      socket.setSoLinger(true, 0);
      socket.bind(new InetSocketAddress(ownAddress(), 0));
      socket.connect(at(address));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InetAddress ownAddress() throws IOException {
    int number = STRANGERS.getAndIncrement();
    byte[] address = {127, (byte) (number >> 16), (byte) (number >> 8), (byte) number};
    return InetAddress.getByAddress(address);
  }

  private static InetSocketAddress at(String address) {
    int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  /** Sends bytes, unless the node has closed the connection. */
  void send(byte... bytes) {
    try {
      socket.getOutputStream().write(bytes);
    } catch (SocketException e) {
      // closed meanwhile
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The payload of a greeting that a worker of a {@link TestRing} would take. */
  static byte[] hello(String node) {
    byte[] payload = new byte[Hello.BYTES];
    new Hello(false, "ring", node, 0, 9, 0, 0, TestRing.BYTES, 64, 250, "")
        .write(MemorySegment.ofArray(payload), 0);
    return payload;
  }

  /** A frame of dialect isle with a valid checksum. */
  static byte[] frame(int kind, int length, byte[] payload) {
    byte[] bytes = new byte[IsleFrame.HEADER_BYTES + payload.length];
    MemorySegment frame = MemorySegment.ofArray(bytes);
    int number = kind == IsleFrame.DATA ? 1 : 0;
    IsleFrame.header(frame, 0, kind, number, length, 1);
    System.arraycopy(payload, 0, bytes, IsleFrame.HEADER_BYTES, payload.length);
    new FrameCrc(frame).seal(0, payload.length);
    return bytes;
  }

  /** Greets as a node of a name. */
  void greet(String node) {
    send(frame(IsleFrame.HELLO, Hello.BYTES, hello(node)));
  }

  /** Waits until the node closes the connection; bytes of the node count as open. */
  void awaitEnd() {
    try {
      while (socket.getInputStream().read() >= 0) {
        // a greeting or a refusal
      }
    } catch (SocketException e) {
      // reset
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends datagrams from a port of its own. */
  static void flood(String address, byte[] datagram, int count) {
    try (DatagramSocket from = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      DatagramPacket packet = new DatagramPacket(datagram, datagram.length, at(address));
      for (int i = 0; i < count; i++) {
        from.send(packet);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Open descriptors of this process. */
  static long descriptors() {
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      return all.count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
