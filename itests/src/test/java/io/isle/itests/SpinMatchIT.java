package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The matcher of packets in a booted platform gives what filters written for this test give. */
@ExtendWith(Platform.class)
class SpinMatchIT {
  private static final int PACKETS = 500;
  private static final int LINK_TYPE = 147;

  @TempDir Path folder;
  private final List<byte[]> packets = new ArrayList<>();
  private Path file;

  @BeforeEach
  void capture() throws IOException {
    Random random = new Random(23);
    ByteBuffer bytes = ByteBuffer.allocate(PACKETS * 216).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(0xA1B2C3D4).putShort((short) 2).putShort((short) 4);
    bytes.putLong(0).putInt(65535).putInt(LINK_TYPE);
    for (int i = 0; i < PACKETS; i++) {
      byte[] packet = packet(random);
      packets.add(packet);
      bytes.putLong(0).putInt(packet.length).putInt(packet.length).put(packet);
    }
    file = folder.resolve("a trace.pcap");
    Files.write(file, Arrays.copyOf(bytes.array(), bytes.position()));
  }

  /** Any bytes, of which those that the rules look at are right more often than not. */
  private static byte[] packet(Random random) {
    byte[] packet = new byte[random.nextInt(200)];
    random.nextBytes(packet);
    int[][] right = {{12, 8}, {13, 0}, {23, 17}, {36, 9330 >> 8}, {37, 9330 & 0xFF}};
    for (int[] one : right) {
      if (one[0] < packet.length && random.nextInt(8) > 0) {
        packet[one[0]] = (byte) one[1];
      }
    }
    if (packet.length > 44 && random.nextInt(4) > 0) {
      packet[44] &= 3;
    }
    return packet;
  }

  private static int at(byte[] packet, int offset) {
    return offset < packet.length && offset < 66 ? packet[offset] & 0xFF : 0;
  }

  private static int port(byte[] packet, int offset) {
    return at(packet, offset) * 256 + at(packet, offset + 1);
  }

  private JsonNode match(String rules) throws IOException {
    return Platform.sh(
            "spin:match '" + file + "' --rules '" + rules + "'", "--json", "--as", "manager")
        .succeeded()
        .json();
  }

  private List<Integer> chosen(Predicate<byte[]> filter) {
    List<Integer> indices = new ArrayList<>();
    for (int i = 0; i < packets.size(); i++) {
      if (filter.test(packets.get(i))) {
        indices.add(i);
      }
    }
    return indices;
  }

  private static List<Integer> indices(JsonNode result, Predicate<JsonNode> which) {
    List<Integer> indices = new ArrayList<>();
    for (JsonNode one : result.get("matches")) {
      if (which.test(one)) {
        indices.add(one.get("index").asInt());
      }
    }
    return indices;
  }

  @Test
  void allRulesOfAnd() throws IOException {
    Predicate<byte[]> slmp = p -> port(p, 12) == 0x0800 && at(p, 23) == 17 && port(p, 36) == 9330;
    JsonNode result = match("AND IP IP_PROTO(17) UDP_DPORT(9330) EOM SLMP_EOM");
    List<Integer> expected = chosen(slmp);
    assertTrue(expected.size() > 100, () -> "too few of " + expected);
    assertEquals(expected, indices(result, one -> true));
    List<Integer> ends = chosen(slmp.and(p -> at(p, 42) >= 0x80));
    assertEquals(ends, indices(result, one -> one.get("eom").asBoolean()));
    assertEquals(ends.size(), result.get("eom").asInt());
    assertEquals(PACKETS, result.get("packets").asInt());
    assertEquals(PACKETS - expected.size(), result.get("unmatched").asInt());
    long inMessages = 0;
    for (JsonNode message : result.get("messages")) {
      inMessages += message.get("packets").asLong();
    }
    assertEquals(expected.size(), inMessages);
  }

  @Test
  void oneRuleOfOrAndThenTheNextRuleset() throws IOException {
    Predicate<byte[]> first =
        p -> {
          int low = port(p, 34);
          return at(p, 64) >= 200 || low >= 1000 && low <= 20000;
        };
    Predicate<byte[]> second = p -> at(p, 23) == 17;
    JsonNode result =
        match(
            "OR {16, 0xff000000, 0xc8000000, 0xff000000} {.idx = 8, .mask = 0xffff,"
                + " .start = 1000, .end = 20000}; AND IP_PROTO(17) EOM TRUE");
    assertEquals(chosen(first), indices(result, one -> one.get("slot").asInt() == 0));
    assertEquals(
        chosen(first.negate().and(second)), indices(result, one -> one.get("slot").asInt() == 1));
    assertEquals(chosen(first).size(), result.get("rulesets").get(0).get("matched").asInt());
    assertEquals(chosen(first.negate().and(second)).size(), result.get("messages").size());
  }
}
