package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Handlers on a port of a running platform answer datagrams. */
@ExtendWith(Platform.class)
class SpinNicIT {
  private static final String NIC = "io.isle.nic-ping.cfg";
  private static final String DEVICE = "device = " + HandlerDevice.ID;
  private static final String CONTEXT = "io.isle.spin-ping.cfg";
  private static final String HEAD =
      """
      #include <handler.h>
      #include <packets.h>
      static void back(handler_args_t *args, uint8_t mark)
      {
          pkt_hdr_t *h = args->task->pkt_mem;
          uint8_t *payload = (uint8_t *)h + sizeof(eth_hdr_t) + sizeof(ip_hdr_t) + sizeof(udp_hdr_t);
          uint32_t address = h->ip_hdr.source_id;
          uint16_t port = h->udp_hdr.src_port;
          spin_cmd_t sent;
          h->ip_hdr.source_id = h->ip_hdr.dest_id;
          h->ip_hdr.dest_id = address;
          h->udp_hdr.src_port = h->udp_hdr.dst_port;
          h->udp_hdr.dst_port = port;
          h->udp_hdr.checksum = 0;
          payload[0] = mark;
          *(uint32_t *)args->task->handler_mem += 1;
          push_counter(&__host_data.counters[2], 5);
          printf("mark %c\\n", mark);
          spin_send_packet(args->task->pkt_mem, args->task->pkt_mem_size, &sent);
      }
      """;

  @TempDir Path folder;
  private int port;

  @BeforeAll
  static void device() throws Exception {
    HandlerDevice.add();
  }

  @AfterAll
  static void noDevice() throws Exception {
    HandlerDevice.remove();
  }

  @BeforeEach
  void machine() throws Exception {
    try (DatagramSocket free = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    write(NIC, DEVICE, "port = udp:127.0.0.1:" + port);
  }

  @AfterEach
  void remove() throws Exception {
    Files.deleteIfExists(etc().resolve(CONTEXT));
    Files.deleteIfExists(etc().resolve(NIC));
    Awaiting.await("the interface is gone", () -> list("list").isEmpty());
  }

  private static Path etc() throws IOException {
    return Devices.settings("none").getParent();
  }

  private static void write(String file, String... lines) throws IOException {
    Files.write(etc().resolve(file), List.of(lines));
  }

  private static JsonNode list(String command) throws IOException {
    return Platform.sh("spin:" + command, "--json").succeeded().json();
  }

  private Path build(String name, char mark) throws IOException {
    Path source = folder.resolve(name + ".c");
    Files.writeString(
        source,
        HEAD + "__handler__ void ping_ph(handler_args_t *args) { back(args, '" + mark + "'); }\n");
    Path image = folder.resolve(name + ".spin");
    Platform.sh("spin:build '" + source + "' --out '" + image + "'").succeeded();
    return image;
  }

  private static JsonNode context() throws IOException {
    return list("contexts ping").get(0);
  }

  private static void awaitState(String state) throws InterruptedException {
    Awaiting.await("the context is " + state, () -> context().get("state").asText().equals(state));
  }

  /** The first byte of the answer; each datagram has one at most, and may be lost. */
  private char ask(int length) throws IOException {
    try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      socket.setSoTimeout(200);
      byte[] question = new byte[length];
      Arrays.fill(question, (byte) 'q');
      for (int i = 0; i < 150; i++) {
        socket.send(new DatagramPacket(question, length, InetAddress.getLoopbackAddress(), port));
        DatagramPacket answer = new DatagramPacket(new byte[2048], 2048);
        try {
          socket.receive(answer);
        } catch (SocketTimeoutException e) {
          continue;
        }
        assertEquals(length, answer.getLength());
        byte[] got = Arrays.copyOf(answer.getData(), length);
        question[0] = got[0];
        assertArrayEquals(question, got);
        return (char) got[0];
      }
    }
    throw new AssertionError("no answer in 30 s: " + list("list") + list("contexts"));
  }

  @Test
  void handlersAnswerAreReplacedAndComeBack() throws Exception {
    Path one = build("one", '1');
    Path two = build("two", '2');
    write(CONTEXT, "nic = ping", "handlers = " + one, "rules = udp");
    assertEquals('1', ask(16));
    assertEquals('1', ask(1400));
    JsonNode nic = list("list ping").get(0);
    assertEquals("up", nic.get("state").asText());
    assertEquals(HandlerDevice.ID, nic.get("device").asText());
    assertEquals("spin-ping", context().get("group").asText());
    assertEquals(16, list("hpus ping").size());
    assertEquals(0, list("queues ping").size());
    JsonNode counters = list("counters ping");
    int handlers = 0;
    for (JsonNode counter : counters) {
      if (counter.get("counter").asText().equals("handler_2")) {
        assertEquals(5 * counter.get("count").asLong(), counter.get("value").asLong());
        handlers++;
      }
    }
    assertEquals(1, handlers);
    Awaiting.await(
        "text",
        () -> Platform.sh("spin:stdout ping").succeeded().out().startsWith("mark 1\nmark 1\n"));
    Path dump = folder.resolve("handler memory");
    Platform.sh("spin:dump ping 'handler:" + dump + "'").succeeded();
    assertEquals(256 << 10, Files.size(dump));
    assertTrue(Files.readAllBytes(dump)[0] >= 2);
    Platform.sh("spin:swap ping '" + two + "'").succeeded();
    assertEquals('2', ask(100));
    Platform.sh("spin:dump ping 'handler:" + dump + "'").succeeded();
    assertTrue(Files.readAllBytes(dump)[0] >= 3, "the memory is kept");
    Platform.sh("spin:detach ping").succeeded();
    awaitState("detached");
    Platform.sh("spin:detach other").failed(1);
    Platform.sh("spin:attach ping").succeeded();
    assertEquals('1', ask(16));
  }

  @Test
  void aCrashOfTheProcessOfTheHandlersIsNoEnd() throws Exception {
    Path image = build("one", '1');
    write(CONTEXT, "nic = ping", "handlers = " + image, "rules = udp");
    assertEquals('1', ask(16));
    ProcessHandle host = HandlerDevice.process();
    assertTrue(host.destroyForcibly());
    host.onExit().join();
    assertEquals('1', ask(16));
    awaitState("attached");
  }

  @Test
  void aBundleBringsHandlersAndAnUpdateReplacesThem() throws Exception {
    try (HandlerBundle bundle = new HandlerBundle("ping-it", "udp")) {
      bundle.deploy("1.0.0", build("one", '1'));
      write(CONTEXT, "nic = ping", "handlers = ping-it");
      assertEquals('1', ask(16));
      assertEquals("ping-it", context().get("handlers").asText());
      assertEquals("AND IP IP_PROTO(17) EOM FALSE", context().get("rules").asText());
      long packets = context().get("packets").asLong();
      Path next = build("two", '2');
      try (NumberedQuestions questions = new NumberedQuestions(port)) {
        bundle.deploy("1.1.0", next);
        Awaiting.await("the new handlers", () -> ask(16) == '2');
        assertEquals(List.of(), questions.answeredOtherThanOnce());
      }
      assertTrue(context().get("packets").asLong() > packets, "the context is the same");
    }
  }

  @Test
  void aBadValueIsRefusedAndTheLastGoodOneStays() throws Exception {
    Path image = build("one", '1');
    write(CONTEXT, "nic = ping", "handlers = " + image, "rules = udp");
    assertEquals('1', ask(16));
    write(NIC, DEVICE, "port = udp:127.0.0.1:" + port, "parallel = 99");
    write(CONTEXT, "nic = ping", "handlers = " + image, "rules = tcp");
    Awaiting.await(
        "the refusals",
        () -> {
          String log =
              Files.readString(
                  Platform.folder().resolve("data/log/karaf.log"), StandardCharsets.UTF_8);
          return log.contains("io.isle.nic-ping: parallel: ")
              && log.contains("io.isle.spin-ping: rules, column 1: ");
        });
    assertEquals('1', ask(16));
  }
}
