package io.isle.net.xdp.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.base.Setting;
import io.isle.api.net.NetException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** Files of any keys and values: they are refused in words, or are settings within their limits. */
class SettingsFuzzTest {
  @Provide
  Arbitrary<Map<String, String>> nets() {
    return files(NetKeys.SCHEMA);
  }

  @Provide
  Arbitrary<Map<String, String>> apps() {
    return files(AppKeys.SCHEMA);
  }

  /** Mostly known keys, and values that are right for one or another key. */
  private static Arbitrary<Map<String, String>> files(List<Setting> schema) {
    Arbitrary<String> keys =
        Arbitraries.oneOf(
            Arbitraries.of(schema.stream().map(Setting::key).toList()),
            Arbitraries.strings().ofMaxLength(8));
    Arbitrary<String> values =
        Arbitraries.oneOf(
            Arbitraries.of(
                "eth0",
                "lab:a",
                "",
                "1",
                "512",
                "-1",
                "99999999999999999999",
                "198.18.0.1",
                "1.2.3",
                "drop",
                "own",
                "tile",
                "true",
                "/tmp/a\0b",
                "a;b",
                "9000, 9001",
                "skb",
                "echo",
                "n"),
            Arbitraries.strings().ofMaxLength(40),
            Arbitraries.integers().map(String::valueOf));
    return Arbitraries.maps(keys, values).ofMaxSize(6);
  }

  private static void refused(NetException e) {
    assertEquals(Errno.EINVAL, e.code(), e.getMessage());
    assertFalse(e.getMessage().isBlank());
  }

  @Property(tries = 1000)
  void aNetHasSettingsOrAMistake(@ForAll("nets") Map<String, String> given) {
    Map<String, String> file = new HashMap<>(given);
    file.putIfAbsent("interface", "eth0");
    try {
      NetSettings net = NetSettings.of(file);
      assertTrue(net.tiles() >= 1 && net.tiles() <= 16);
      assertEquals(1, Integer.bitCount(net.rxQueue()));
      assertTrue(net.interfaceName().length() <= 15);
    } catch (NetException e) {
      refused(e);
    }
  }

  @Property(tries = 1000)
  void anAppHasSettingsOrAMistake(@ForAll("apps") Map<String, String> given) {
    Map<String, String> file = new HashMap<>(given);
    file.putIfAbsent("kind", "echo");
    file.putIfAbsent("nets", "n");
    try {
      AppSettings app = AppSettings.of(file);
      assertTrue(app.ports().size() <= 16 && !app.nets().isEmpty());
      assertTrue(app.ports().stream().allMatch(port -> port >= 1 && port <= 65535));
    } catch (NetException e) {
      refused(e);
    }
  }

  @Test
  void aPathWithAZeroIsRefused() {
    for (String key : List.of("socket", "netns")) {
      try {
        NetSettings net = NetSettings.of(Map.of("interface", "eth0", key, "/tmp/a\0b"));
        throw new AssertionError(net.toString());
      } catch (NetException e) {
        refused(e);
        assertTrue(e.getMessage().startsWith(key + ": "), e.getMessage());
      }
    }
  }
}
