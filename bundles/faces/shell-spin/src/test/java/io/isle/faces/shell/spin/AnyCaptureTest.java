package io.isle.faces.shell.spin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.faces.shell.testing.FakeServices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code spin:match} equals a filter that is written for this test, on captures of any kind. */
class AnyCaptureTest {
  private static final int SEEDS = 400;

  @TempDir private Path folder;

  /** Of few ids and few values, so that rules hold and messages have several packets. */
  private static List<byte[]> packets(Random random) {
    List<byte[]> packets = new ArrayList<>();
    int count = random.nextInt(120);
    for (int i = 0; i < count; i++) {
      byte[] packet = new byte[random.nextInt(4) == 0 ? random.nextInt(70) : random.nextInt(200)];
      random.nextBytes(packet);
      for (int at = 44; at < 48 && at < packet.length; at++) {
        packet[at] = (byte) (random.nextInt(6) == 0 ? 0x80 : at == 44 ? random.nextInt(3) : 0);
      }
      packets.add(packet);
    }
    return packets;
  }

  private static PlainFilter filter(int seed) {
    return new PlainFilter(new Random(seed));
  }

  @Test
  void eachFieldIsThatOfAnIndependentFilter() throws IOException {
    FakeServices services = new FakeServices();
    for (int seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed + 10_000L);
      List<byte[]> packets = packets(random);
      Path file = Files.write(folder.resolve("trace"), CaptureBytes.of(packets, random));
      PlainFilter filter = filter(seed);
      String json = services.run(new MatchCommand().of(file.toString(), filter.text), true);
      assertEquals(filter.document(packets), json, "seed " + seed + ": " + filter.text);
    }
  }

  @Test
  void thereIsSomethingToCompare() {
    int with = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      String document = filter(seed).document(packets(new Random(seed + 10_000L)));
      with += document.matches("(?s).*\"packets\":[2-9],\"first\":\\d+,\"eom\":true.*") ? 1 : 0;
    }
    assertTrue(with > SEEDS / 4, with + " captures have a message of several packets and its end");
  }
}
