package io.isle.net.ports.packet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.net.FrameSource;
import io.isle.api.net.port.OpenPort;
import io.isle.lib.ffi.SockAddr;
import io.isle.lib.ffi.SocketIo;
import io.isle.net.ports.testing.Frames;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * An interface without an address of its own, whose frames go on to one end of a pair; the other
 * end has address and MAC, and the kernel answers there.
 */
@Timeout(60)
class HostPairTest {
  private static final int PORT = 7001;

  private final SocketIo io = new SocketIo();
  private final SockAddr from = new SockAddr();
  private final MemorySegment bytes = Arena.ofAuto().allocate(100);

  private static void forward(OpenPort source, OpenPort sink) {
    FrameSource.Handler handler =
        (memory, offset, length, signature) -> {
          long at = sink.claim(length);
          MemorySegment.copy(memory, offset, sink.memory(), at, length);
          assertEquals(0, sink.publish(length, 0));
        };
    assertTrue(source.poll(handler, 16) >= 0, source::failure);
  }

  private boolean arrived(int socket) {
    bytes.fill((byte) 0);
    long got = io.receiveFrom(socket, bytes, 0, 100, 0, from);
    assertTrue(got == 60 || got == -Errno.EAGAIN);
    return got == 60;
  }

  @Test
  void theKernelAnswersBehindThePair() {
    SockAddr to = new SockAddr();
    to.ipv4(HostPair.HOST, PORT);
    try (HostPair world = new HostPair();
        OpenPort port = world.port("vb");
        OpenPort host = world.port("ha")) {
      int client = world.socket("va", HostPair.CLIENT, 0);
      int server = world.socket("hb", HostPair.HOST, PORT);
      MemorySegment request = Arena.ofAuto().allocate(60);
      request.set(ValueLayout.JAVA_INT, 0, 4711);
      Frames.until(
          () -> {
            // the kernel may lose the first frames of interfaces that run already
            assertEquals(60, io.sendTo(client, request, 0, 60, 0, to));
            forward(port, host);
            return arrived(server);
          });
      SockAddr back = new SockAddr();
      back.copyFrom(from);
      Frames.until(
          () -> {
            assertEquals(60, io.sendTo(server, request, 0, 60, 0, back));
            forward(host, port);
            return arrived(client);
          });
      assertEquals(4711, bytes.get(ValueLayout.JAVA_INT, 0));
      assertTrue(from.sameAs(to));
      world.close(client);
      world.close(server);
    }
  }
}
