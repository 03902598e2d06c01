package io.isle.fabric.impair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.isle.api.base.Setting;
import io.isle.api.fabric.RingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any settings of a relay, a line each: taken within their limits, or refused with their key. */
class ImpairSettingsFuzzTest {
  static Stream<byte[]> seeds() {
    return Stream.of(
            """
            fault_injection=true
            listen=udp://127.0.0.1:9990
            to=udp://[::1]:9991
            loss_ppm=10000
            duplicate_ppm=1
            reorder_ppm=50000
            reorder_ms=3
            delay_ms=50
            """,
            """
            fault_injection=true
            listen=tcp://localhost:9990
            to=tcp://127.0.0.1:9991
            cut_every_bytes=1m
            black_hole=forward
            rate_bytes=10g
            plaintext=true
            queue_bytes=64k
            """)
        .map(text -> text.getBytes(StandardCharsets.UTF_8));
  }

  @MethodSource("seeds")
  @FuzzTest
  void settingsAreTakenOrRefusedWithTheirKey(byte[] text) {
    Map<String, String> given = new HashMap<>();
    new String(text, StandardCharsets.UTF_8)
        .lines()
        .forEach(
            line -> {
              int end = line.indexOf('=');
              given.put(line.substring(0, Math.max(end, 0)), line.substring(end + 1));
            });
    try {
      ImpairSettings settings = ImpairSettings.of(given);
      assertEquals(settings.datagrams(), settings.way().listen().startsWith("udp://"));
      assertTrue(settings.way().listenAt() != null && settings.way().sendTo() != null);
      assertTrue(settings.faults().loss() >= 0 && settings.faults().loss() <= 1_000_000);
    } catch (RingException e) {
      String why = e.getMessage();
      boolean named =
          why.contains("is not a key of a relay")
              || ImpairKeys.SCHEMA.stream().map(Setting::key).anyMatch(why::contains);
      assertTrue(named && why.length() < 2000, why);
    }
  }
}
