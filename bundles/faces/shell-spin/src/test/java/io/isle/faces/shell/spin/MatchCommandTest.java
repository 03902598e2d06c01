package io.isle.faces.shell.spin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.faces.shell.ShellException;
import io.isle.faces.shell.testing.FakeServices;
import io.isle.lib.packet.capture.PcapWriter;
import io.isle.lib.packet.capture.PcapngWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MatchCommandTest {
  private static final int RAW_IP = 101;
  private static final int BIG_SLMP = 0x80000001;

  @TempDir private Path folder;
  private final FakeServices services = new FakeServices();

  private static byte[] packet(int bytes, int protocol, int port, int flags, int message) {
    byte[] packet = new byte[bytes];
    packet[12] = 8;
    packet[23] = (byte) protocol;
    packet[36] = (byte) (port >> 8);
    packet[37] = (byte) port;
    packet[42] = (byte) (flags >> 8);
    for (int i = 0; i < 4 && 44 + i < bytes; i++) {
      packet[44 + i] = (byte) (message >>> 8 * i);
    }
    return packet;
  }

  private static byte[] slmp(int flags, int message) {
    return packet(60, 17, 9330, flags, message);
  }

  private String capture(byte[]... packets) throws IOException {
    Path file = folder.resolve("trace.pcap");
    try (PcapWriter writer = new PcapWriter(Files.newOutputStream(file), RAW_IP, 65535)) {
      for (byte[] packet : packets) {
        writer.write(0, MemorySegment.ofArray(packet), 0, packet.length);
      }
    }
    return file.toString();
  }

  private String json(String file, String rules) {
    return services.run(new MatchCommand().of(file, rules), true);
  }

  @Test
  void messagesReachFromTheirFirstPacketToTheOneThatEndsThem() throws IOException {
    String file =
        capture(
            slmp(0x4000, 17),
            slmp(0, BIG_SLMP),
            new byte[0],
            slmp(0xC000, 17),
            slmp(0x8000, 17),
            packet(47, 17, 9330, 0, 5));
    assertEquals(
        "{\"packets\":6,\"matched\":5,\"unmatched\":1,\"eom\":2,"
            + "\"rulesets\":[{\"slot\":0,\"matched\":5,\"eom\":2}],"
            + "\"matches\":["
            + "{\"index\":0,\"slot\":0,\"eom\":false,\"message\":17,\"queue\":1,\"bytes\":60},"
            + "{\"index\":1,\"slot\":0,\"eom\":false,\"message\":2147483649,\"queue\":1,"
            + "\"bytes\":60},"
            + "{\"index\":3,\"slot\":0,\"eom\":true,\"message\":17,\"queue\":1,\"bytes\":60},"
            + "{\"index\":4,\"slot\":0,\"eom\":true,\"message\":17,\"queue\":1,\"bytes\":60},"
            + "{\"index\":5,\"slot\":0,\"eom\":false,\"message\":0,\"queue\":0,\"bytes\":47}],"
            + "\"messages\":["
            + "{\"slot\":0,\"message\":17,\"queue\":1,\"packets\":2,\"first\":0,\"eom\":true},"
            + "{\"slot\":0,\"message\":2147483649,\"queue\":1,\"packets\":1,\"first\":1,"
            + "\"eom\":false},"
            + "{\"slot\":0,\"message\":17,\"queue\":1,\"packets\":1,\"first\":4,\"eom\":true},"
            + "{\"slot\":0,\"message\":0,\"queue\":0,\"packets\":1,\"first\":5,\"eom\":false}]}\n",
        json(file, "slmp"));
  }

  @Test
  void packetsThatStandAloneAreNoMessages() throws IOException {
    String file = capture(packet(60, 1, 0x0800, 0, 3), slmp(0, 3));
    String json = json(file, "icmp-echo; OR IP_PROTO(1) IP_PROTO(17)");
    assertTrue(
        json.contains(
            "\"rulesets\":[{\"slot\":0,\"matched\":0,\"eom\":0},"
                + "{\"slot\":1,\"matched\":2,\"eom\":0}]"),
        json);
    assertTrue(json.endsWith("\"messages\":[]}\n"), json);
    String whole = json(file, "match");
    assertTrue(whole.contains("\"eom\":2,"), whole);
    assertTrue(
        whole.endsWith(
            "{\"slot\":0,\"message\":3,\"queue\":3,\"packets\":1,\"first\":1,\"eom\":true}]}\n"),
        whole);
  }

  @Test
  void peopleReadTheCounts() throws IOException {
    String file = capture(slmp(0, 1), slmp(0x8000, 1), slmp(0, 2), new byte[14]);
    assertEquals(
        """
        slot  matched  eom  rules
           0        3    1  AND IP IP_PROTO(17) UDP_DPORT(9330) EOM SLMP_EOM
           1        0    0  AND IP EOM FALSE
        4 packets: 3 matched, 1 unmatched; 2 messages, 1 without an end
        """,
        services.run(new MatchCommand().of(file, "slmp; AND IP"), false));
  }

  @Test
  void pcapngIsReadToo() throws IOException {
    Path file = folder.resolve("trace.pcapng");
    try (PcapngWriter writer = new PcapngWriter(Files.newOutputStream(file), "test", 65535)) {
      int id = writer.addInterface("va", 1);
      writer.write(id, 0, MemorySegment.ofArray(slmp(0, 1)), 0, 60);
    }
    assertTrue(json(file.toString(), "slmp").startsWith("{\"packets\":1,\"matched\":1,"));
  }

  @Test
  void mistakesAreNamed() throws IOException {
    String file = capture(slmp(0, 1));
    String none = folder.resolve("none.pcap").toString();
    assertEquals(
        "--rules, column 5: 'TCP' is no rule", failure(2, file, "AND TCP").substring(0, 35));
    assertEquals(none + " does not exist", failure(1, none, "slmp"));
    String text = Files.writeString(folder.resolve("text"), "no capture").toString();
    assertTrue(failure(1, text, "slmp").startsWith(text + ": "));
    byte[] bytes = Files.readAllBytes(Path.of(file));
    Path cut = Files.write(folder.resolve("cut.pcap"), Arrays.copyOf(bytes, 50));
    assertTrue(failure(1, cut.toString(), "slmp").contains("the file ends at offset 50"));
    assertTrue(failure(1, folder.toString(), "slmp").contains(" cannot be read: "));
  }

  private String failure(int status, String file, String rules) {
    ShellException e = assertThrows(ShellException.class, () -> json(file, rules));
    assertEquals(status, e.exitStatus(), e.getMessage());
    return e.getMessage();
  }
}
