package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A message of SLMP, sent to handlers on a port, lies whole in the pages of the host. */
@ExtendWith(Platform.class)
class SpinMessageIT {
  private static final int SYN = 0x4000;
  private static final int EOM = 0x8000;
  private static final int ACK = 0x2000;
  private static final int HEADER = 10;
  private static final int PAYLOAD = 1460;
  private static final int BYTES = 20 * PAYLOAD + 100;
  private static final int MESSAGES = 5;
  private static final int REQUEST_PAGES = 16 * 4096;

  @TempDir Path folder;

  @BeforeAll
  static void device() throws Exception {
    HandlerDevice.add();
  }

  @AfterAll
  static void noDevice() throws Exception {
    HandlerDevice.remove();
  }

  private static Path etc(String file) throws IOException {
    return Devices.settings("none").resolveSibling(file);
  }

  @AfterEach
  void remove() throws Exception {
    Files.deleteIfExists(etc("io.isle.spin-message.cfg"));
    Files.deleteIfExists(etc("io.isle.nic-message.cfg"));
    Awaiting.await(
        "the interface is gone",
        () -> Platform.sh("spin:list", "--json").succeeded().json().isEmpty());
  }

  private Path build() throws IOException {
    Path source = Platform.root().resolve("native-shims/test/handlers/message.c");
    Path image = folder.resolve("message.spin");
    Platform.sh("spin:build '" + source + "' --out '" + image + "'").succeeded();
    return image;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 16})
  void eachPacketIsAcknowledged(int window) throws Exception {
    Path image = build();
    int port;
    try (DatagramSocket free = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Files.write(
        etc("io.isle.nic-message.cfg"),
        List.of(
            "device = " + HandlerDevice.ID,
            "port = udp:127.0.0.1:" + port,
            "message_timeout_ms = 60000"));
    Files.write(
        etc("io.isle.spin-message.cfg"),
        List.of(
            "nic = message",
            "handlers = " + image,
            "host_pages = 32",
            "rules = AND IP IP_PROTO(17) UDP_DPORT(" + port + ") EOM SLMP_EOM"));
    Awaiting.await("the context", () -> context().get("state").asText().equals("attached"));
    byte[] message = new byte[BYTES];
    new Random(window).nextBytes(message);
    for (int id = 1; id <= MESSAGES; id++) {
      send(port, id, message, window);
    }
    Awaiting.await("all messages", () -> context().get("messages").asLong() == MESSAGES);
    assertEquals(0, context().get("drops").asLong());
    Path dump = folder.resolve("host pages");
    Platform.sh("spin:dump message 'host:" + dump + "'").succeeded();
    byte[] pages = Files.readAllBytes(dump);
    assertArrayEquals(message, Arrays.copyOfRange(pages, REQUEST_PAGES, REQUEST_PAGES + BYTES));
  }

  private static JsonNode context() throws IOException {
    for (JsonNode one : Platform.sh("spin:contexts", "--json").succeeded().json()) {
      if (one.get("context").asText().equals("message")) {
        return one;
      }
    }
    return JsonNodeFactory.instance.objectNode().put("state", "none");
  }

  /** As senders do: so many packets without an acknowledgement at most. */
  private static void send(int port, int id, byte[] message, int window) throws IOException {
    InetAddress here = InetAddress.getLoopbackAddress();
    try (DatagramSocket socket = new DatagramSocket(0, here)) {
      socket.setSoTimeout(30_000);
      Set<Integer> open = new HashSet<>();
      for (int at = 0; at < message.length || !open.isEmpty(); ) {
        if (at < message.length && open.size() < window) {
          int length = Math.min(PAYLOAD, message.length - at);
          int flags = at + length == message.length ? SYN | EOM : SYN;
          byte[] packet =
              ByteBuffer.allocate(HEADER + length)
                  .putShort((short) flags)
                  .putInt(id)
                  .putInt(at)
                  .put(message, at, length)
                  .array();
          socket.send(new DatagramPacket(packet, packet.length, here, port));
          open.add(at);
          at += length;
          continue;
        }
        DatagramPacket answer = new DatagramPacket(new byte[2048], 2048);
        socket.receive(answer);
        ByteBuffer ack = ByteBuffer.wrap(answer.getData(), 0, answer.getLength());
        assertEquals(HEADER, answer.getLength());
        assertEquals(ACK, Short.toUnsignedInt(ack.getShort()));
        assertEquals(id, ack.getInt());
        int offset = ack.getInt();
        assertTrue(open.remove(offset), "an acknowledgement of " + offset + " again");
      }
    }
  }
}
