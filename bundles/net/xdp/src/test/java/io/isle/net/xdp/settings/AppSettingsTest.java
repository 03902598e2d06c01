package io.isle.net.xdp.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.net.NetException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AppSettingsTest {
  private static AppSettings of(String... pairs) {
    Map<String, String> given = new HashMap<>(Map.of("kind", "echo", "nets", "n", "ports", "9000"));
    for (int i = 0; i < pairs.length; i += 2) {
      given.put(pairs[i], pairs[i + 1]);
    }
    return AppSettings.of(given);
  }

  @Test
  void anAppHasOneInstanceUnlessItIsGivenMore() {
    assertEquals(1, of().instances());
    assertEquals(32, of("instances", "32").instances());
    assertTrue(of("thread", "tile").onTile());
  }

  @ParameterizedTest
  @CsvSource({
    "instances, 0, 1",
    "instances, 33, 32",
    "depth, 64, 128",
    "depth, 129, power of two",
    "thread, both, tile",
    "ports, 70000, 65535",
    "uid, 4294967295, 4294967294"
  })
  void aWrongValueNamesItsKeyAndLimit(String key, String value, String limit) {
    NetException e = assertThrows(NetException.class, () -> of(key, value));
    assertEquals(Errno.EINVAL, e.code());
    assertTrue(e.getMessage().startsWith(key + ": "), e.getMessage());
    assertTrue(e.getMessage().contains(limit), e.getMessage());
  }

  @Test
  void theThreadOfATileRunsOneInstance() {
    NetException e = assertThrows(NetException.class, () -> of("thread", "tile", "instances", "2"));
    assertEquals(Errno.EINVAL, e.code());
    assertTrue(e.getMessage().startsWith("instances: 2; "), e.getMessage());
  }
}
