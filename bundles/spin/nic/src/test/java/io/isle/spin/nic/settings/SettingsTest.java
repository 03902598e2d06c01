package io.isle.spin.nic.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.spin.HostReply;
import io.isle.api.spin.SpinException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {
  private static final Map<String, String> CONTEXT = Map.of("nic", "n", "handlers", "ping");

  @Test
  void defaultsAreThoseOfThePages() {
    assertEquals(
        new NicSettings("spin0", "udp:127.0.0.1:9330", "", 3, 500_000_000, 1000),
        NicSettings.of(Map.of("port", "udp:127.0.0.1:9330"), 4));
    assertEquals(1, NicSettings.of(Map.of("port", "pcap:/a"), 1).parallel());
    assertEquals(16, NicSettings.of(Map.of("port", "pcap:/a"), 64).parallel());
    assertEquals(2, NicSettings.of(Map.of("port", "pcap:/a", "parallel", "2"), 64).parallel());
    assertEquals(
        new ContextSettings(
            "n",
            OptionalInt.empty(),
            "ping",
            Optional.empty(),
            "",
            16,
            256 << 10,
            4096,
            Optional.empty(),
            HostReply.ECHO),
        ContextSettings.of(CONTEXT));
  }

  @ParameterizedTest
  @CsvSource({
    "port, '', port: missing",
    "port, eth0, port: 'eth0' is no address",
    "host, x, host: 'x' is no address",
    "parallel, 17, 'parallel'",
    "message_timeout_ms, 0, 'message_timeout_ms'",
    "swap, 1, 'swap' is not a key",
    "device, '', device: missing"
  })
  void mistakesOfInterfacesNameTheKey(String key, String value, String words) {
    Map<String, String> given = new HashMap<>(Map.of("port", "pcap:/a"));
    given.put(key, value);
    refused(() -> NicSettings.of(given, 2), words);
  }

  @ParameterizedTest
  @CsvSource({
    "nic, '', nic: missing",
    "handlers, '', handlers: missing",
    "slot, 4, 'slot'",
    "rules, tcp, 'rules, column 1'",
    "rules, udp; udp, rules: 2 rulesets",
    "init, a, init: 'a' is no absolute path",
    "handlers, a.spin, handlers: 'a.spin' is no absolute path",
    "handler_memory, 65m, 'handler_memory'",
    "host_reply, maybe, 'host_reply'",
    "size, 1, 'size' is not a key"
  })
  void mistakesOfContextsNameTheKey(String key, String value, String words) {
    Map<String, String> given = new HashMap<>(CONTEXT);
    given.put(key, value);
    refused(() -> ContextSettings.of(given), words);
  }

  private static void refused(Runnable work, String words) {
    SpinException refusal = assertThrows(SpinException.class, work::run);
    assertEquals(Errno.EINVAL, refusal.code());
    String message = refusal.getMessage();
    assertTrue(message.contains(words.replace("'", "")) || message.contains(words), message);
  }

  @Test
  void someChangesKeepTheMemory() {
    ContextSettings before = ContextSettings.of(CONTEXT);
    assertTrue(before.keepsMemory(with("rules", "udp")));
    assertTrue(before.keepsMemory(with("handlers", "/a/b.spin")));
    assertTrue(before.keepsMemory(with("host_reply", "none")));
    assertFalse(before.keepsMemory(with("slot", "1")));
    assertFalse(before.keepsMemory(with("scratchpad", "128")));
    assertEquals("b.spin", with("handlers", "/a/b.spin").file().orElseThrow().getFileName() + "");
    assertTrue(before.file().isEmpty());
  }

  private static ContextSettings with(String key, String value) {
    Map<String, String> given = new HashMap<>(CONTEXT);
    given.put(key, value);
    return ContextSettings.of(given);
  }
}
