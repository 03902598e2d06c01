package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Handlers on captures, in a booted platform: the same C, called directly, sends the same frames
 * and leaves the same memory.
 */
@ExtendWith(Platform.class)
class SpinRunIT {
  private static final int PACKETS = 300;
  private static final int FILE_HEADER = 24;
  private static final int HANDLER = 1 << 20;
  private static final int TABLE = 1024;
  private static final String HEAD = "#include <handler.h>\n#include <packets.h>\n";

  @TempDir Path folder;
  private Path capture;

  @BeforeAll
  static void device() throws Exception {
    HandlerDevice.add();
  }

  @AfterAll
  static void noDevice() throws Exception {
    HandlerDevice.remove();
  }

  @BeforeEach
  void capture() throws Exception {
    Random random = new Random(7);
    ByteBuffer bytes = ByteBuffer.allocate(PACKETS * 1600).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(0xA1B2C3D4).putShort((short) 2).putShort((short) 4);
    bytes.putLong(0).putInt(65535).putInt(1);
    for (int i = 0; i < PACKETS; i++) {
      byte[] packet = packet(random, i);
      bytes.putInt(i).putInt(0).putInt(packet.length).putInt(packet.length).put(packet);
    }
    capture = folder.resolve("a trace.pcap");
    Files.write(capture, Arrays.copyOf(bytes.array(), bytes.position()));
  }

  /** UDP or ICMP over IPv4, but for some of any bytes; sources of few addresses. */
  private static byte[] packet(Random random, int number) {
    byte[] packet = new byte[number % 4 == 0 ? 1 + random.nextInt(1536) : 52 + random.nextInt(400)];
    random.nextBytes(packet);
    if (packet.length >= 52 && number % 5 != 0) {
      int ip = packet.length - 14;
      int udp = packet.length - 34;
      byte[] head = {8, 0, 0x45, 0, (byte) (ip >> 8), (byte) ip};
      System.arraycopy(head, 0, packet, 12, head.length);
      packet[23] = (byte) (number % 2 == 0 ? 17 : 1);
      packet[26] = (byte) random.nextInt(256);
      packet[27] &= 7;
      packet[28] = 0;
      packet[29] = 0;
      packet[38] = (byte) (udp >> 8);
      packet[39] = (byte) udp;
      // an offset that mostly lies in the pages of the host
      packet[48] = 0;
      packet[49] &= 3;
    }
    return packet;
  }

  /** What the filter looks up: sources that packets mostly have. */
  private Path table() throws IOException {
    ByteBuffer table = ByteBuffer.allocate(TABLE * 8).order(ByteOrder.LITTLE_ENDIAN);
    for (int source = 1, left = TABLE; left > 0; source++) {
      int at = source * 0x9E3779B1 >>> 22;
      if (table.getInt(at * 8) == 0) {
        table.putInt(at * 8, source).putInt(at * 8 + 4, at);
        left--;
      }
    }
    return Files.write(folder.resolve("table"), table.array());
  }

  private static String quoted(Path path) {
    return "'" + path + "'";
  }

  private Platform.Result run(Path handlers, String options) throws IOException {
    String on = " --device " + HandlerDevice.ID;
    return Platform.sh(
        "spin:run " + quoted(handlers) + " " + quoted(capture) + on + options, "--json");
  }

  private byte[] read(Path parent, String name) throws IOException {
    return Files.readAllBytes(parent.resolve(name));
  }

  @ParameterizedTest
  @CsvSource({
    "spin/handlers/udp_ping.c, 100",
    "spin/handlers/icmp_ping.c, 10",
    "test/handlers/message.c, 30",
    "test/handlers/histogram.c, 0",
    "test/handlers/reduce.c, 0",
    "test/handlers/filter.c, 30"
  })
  void theSameCCalledDirectlyDoesTheSame(String source, int leastFrames) throws Exception {
    Path shims = Platform.root().resolve("native-shims");
    String name = source.replaceAll(".*/|[.]c", "");
    Path direct = Files.createDirectory(folder.resolve("direct"));
    Path init = table();
    boolean filter = name.equals("filter");
    List<String> call = new ArrayList<>();
    call.add(shims.resolve("build/release/spin-direct").toString());
    call.addAll(List.of(name, "each", capture.toString(), direct.toString()));
    if (filter) {
      call.add(init.toString());
    }
    assertEquals(0, new ProcessBuilder(call).inheritIO().start().waitFor());
    StringBuilder options =
        new StringBuilder(" --host-pages 64 --out " + quoted(folder.resolve("sent.pcap")));
    for (String region : List.of("handler", "host", "scratchpad")) {
      options.append(" --dump '").append(region).append(':').append(folder.resolve(region));
      options.append("'");
    }
    options.append(filter ? " --init " + quoted(init) : "");
    JsonNode json = run(shims.resolve(source), options.toString()).succeeded().json();
    assertEquals(PACKETS, json.get("packets").asInt());
    assertTrue(json.get("sent").asInt() >= leastFrames, json::toString);
    byte[] expected = read(direct, "sent.pcap");
    byte[] sent = read(folder, "sent.pcap");
    assertArrayEquals(
        Arrays.copyOfRange(expected, FILE_HEADER, expected.length),
        Arrays.copyOfRange(sent, FILE_HEADER, sent.length));
    assertArrayEquals(read(direct, "host"), read(folder, "host"));
    assertArrayEquals(read(direct, "scratchpad"), read(folder, "scratchpad"));
    byte[] memory = read(folder, "handler");
    assertArrayEquals(read(direct, "handler"), memory);
    assertEquals(HANDLER, memory.length);
    assertFalse(
        Arrays.equals(new byte[PACKETS], Arrays.copyOf(memory, PACKETS))
            && Arrays.equals(new byte[64 << 12], read(folder, "host"))
            && sent.length == FILE_HEADER,
        "nothing was done");
  }

  private Path source(String text) throws IOException {
    return Files.writeString(folder.resolve("own.c"), HEAD + text);
  }

  @Test
  void aTrapCostsItsPacketAndIsAnError() throws Exception {
    Path own =
        source(
            """
            static void look(volatile uint32_t *at) { *at = 1; }
            void own_ph(handler_args_t *args)
            {
                uint8_t *packet = args->task->pkt_mem;
                uint32_t n = packet[0] % 3;
                printf("%u\\n", (unsigned)n);
                if (n == 0)
                    look((uint32_t *)16);
                if (n == 1)
                    for (;;)
                        __asm__ volatile("");
                spin_send_packet(packet, 1, NULL);
            }
            """);
    byte[] all = Files.readAllBytes(capture);
    // the first three packets, of one byte each
    byte[] few = Arrays.copyOf(all, FILE_HEADER + 3 * 17);
    for (int i = 0; i < 3; i++) {
      int at = FILE_HEADER + i * 17;
      Arrays.fill(few, at, at + 16, (byte) 0);
      few[at + 8] = 1;
      few[at + 12] = 1;
      few[at + 16] = (byte) i;
    }
    Files.write(capture, few);
    Path out = folder.resolve("out.pcap");
    Platform.Result result = run(own, " --cflags -O0 --out " + quoted(out)).failed(1);
    assertTrue(result.err().contains("handlers have not returned: 2"), result.err());
    JsonNode json = result.json();
    assertEquals("0\n1\n2\n", json.get("stdout").asText());
    assertEquals(2, json.get("traps").asInt());
    assertEquals(3, json.get("times").get(0).get("runs").asInt());
    JsonNode first = json.get("first_traps").get(0);
    assertEquals("access", first.get("cause").asText());
    assertEquals(16, first.get("address").asInt());
    assertTrue(first.get("function").asText().startsWith("look+0x"), first::toString);
    assertEquals("cpu_time", json.get("first_traps").get(1).get("cause").asText());
    assertEquals(FILE_HEADER + 17, Files.size(out));
    String text =
        Platform.sh("spin:run " + quoted(own) + " " + quoted(capture) + " --cflags -O0")
            .failed(1)
            .out();
    assertTrue(
        text.contains("trap: packet 0, handler packet, HPU 0: access at 0x10, in look+0x"), text);
  }

  @Test
  void aProcessThatEndsFailsTheRunAndNoOther() throws Exception {
    Path own =
        source(
            """
            void own_ph(handler_args_t *args)
            {
                __asm__ volatile("syscall" : : "a"(231), "D"(9) : "rcx", "r11", "memory");
            }
            """);
    Platform.Result result = run(own, "").failed(1);
    assertTrue(result.err().contains("the process of the HPUs has ended while"), result.err());
    Devices.awaitState(HandlerDevice.ID, "active");
    Path ping = Platform.root().resolve("native-shims/spin/handlers/udp_ping.c");
    assertEquals(PACKETS, run(ping, "").succeeded().json().get("packets").asInt());
  }

  @Test
  void builtHandlersNeedNoCompilerAndNoAdministrator() throws Exception {
    Path own =
        source("void own_ph(handler_args_t *args) { push_counter(__host_data.counters, 3); }\n");
    Path image = folder.resolve("own.spin");
    String build = "spin:build " + quoted(own) + " --out " + quoted(image);
    assertFalse(Platform.sh(build, "--json").succeeded().json().get("cached").asBoolean());
    assertTrue(Platform.sh(build, "--json").succeeded().json().get("cached").asBoolean());
    String line = "spin:run " + quoted(image) + " " + quoted(capture) + " --rules udp";
    JsonNode json = Platform.sh(line, "--json", "--as", "manager").succeeded().json();
    assertTrue(json.get("unmatched").asInt() > 100, json::toString);
    assertEquals(json.get("handled"), json.get("counters").get(0).get("count"));
    Platform.Result refused =
        Platform.sh("spin:run " + quoted(own) + " " + quoted(capture), "--as", "manager").failed(1);
    assertTrue(refused.err().contains("requires the role admin"), refused.err());
    Files.write(image, new byte[] {1, 2, 3});
    Platform.Result wrong = Platform.sh(line).failed(1);
    assertTrue(wrong.err().contains("3 bytes are not an ELF file"), wrong.err());
  }

  @Test
  void aStepOfAJobIsTheSame() throws Exception {
    Path job = folder.resolve("job.yml");
    Path out = folder.resolve("job out.pcap");
    Files.writeString(
        job,
        """
        job: packets
        device: %s
        params:
          out: {type: out}
        steps:
          - name: ping
            spin: {handlers: '%s', capture: '%s', rules: udp, out: '${out}'}
        claims:
          - {name: answers, value: step.ping.sent, goal: '> 50'}
          - {name: packets, value: step.ping.packets, goal: '== %d'}
        """
            .formatted(
                HandlerDevice.ID,
                Platform.root().resolve("native-shims/spin/handlers/udp_ping.c"),
                capture,
                PACKETS));
    Platform.isle("run", job.toString(), "--set", "out=" + out).succeeded();
    Path other = folder.resolve("other.pcap");
    Path source = Platform.root().resolve("native-shims/spin/handlers/udp_ping.c");
    String line = " --rules udp --out " + quoted(other);
    assertEquals(0, run(source, line).succeeded().json().get("traps").asInt());
    assertArrayEquals(Files.readAllBytes(other), Files.readAllBytes(out));
  }

  @Test
  void handlersOfABundleRunByTheirName() throws Exception {
    Path source = Platform.root().resolve("native-shims/spin/handlers/udp_ping.c");
    Path image = folder.resolve("ping.spin");
    Platform.sh("spin:build " + quoted(source) + " --out " + quoted(image)).succeeded();
    Path expected = folder.resolve("expected.pcap");
    run(image, " --rules udp --out " + quoted(expected)).succeeded();
    String run = "spin:run run-it " + quoted(capture) + " --device " + HandlerDevice.ID + " --out ";
    Path out = folder.resolve("out.pcap");
    Path stepped = folder.resolve("stepped.pcap");
    try (HandlerBundle bundle = new HandlerBundle("run-it", "udp")) {
      bundle.deploy("1.0.0", image);
      Awaiting.await(
          "the bundle", () -> Platform.sh(run + quoted(out), "--as", "manager").code() == 0);
      JsonNode json = Platform.sh(run + quoted(out), "--json").succeeded().json();
      assertEquals("run-it", json.get("handlers").asText());
      assertEquals("AND IP IP_PROTO(17) EOM FALSE", json.get("rules").asText());
      assertArrayEquals(Files.readAllBytes(expected), Files.readAllBytes(out));
      step(stepped).succeeded();
      assertArrayEquals(Files.readAllBytes(expected), Files.readAllBytes(stepped));
    }
    Awaiting.await("the bundle is gone", () -> Platform.sh(run + quoted(out)).code() == 1);
    Platform.Result gone = Platform.sh(run + quoted(out)).failed(1);
    String missing = "no installed bundle has handlers with the name 'run-it'";
    assertTrue(gone.err().contains(missing), gone.err());
    Platform.Result step = step(stepped).failed(1);
    assertTrue(step.err().contains(missing), step.err());
  }

  private Platform.Result step(Path out) throws IOException {
    Path job = folder.resolve("installed.yml");
    Files.writeString(
        job,
        """
        job: installed
        device: %s
        params:
          out: {type: out}
        steps:
          - name: ping
            spin: {installed: run-it, capture: '%s', out: '${out}'}
        claims:
          - {name: answers, value: step.ping.sent, goal: '> 50'}
        """
            .formatted(HandlerDevice.ID, capture));
    return Platform.isle("run", job.toString(), "--set", "out=" + out);
  }
}
