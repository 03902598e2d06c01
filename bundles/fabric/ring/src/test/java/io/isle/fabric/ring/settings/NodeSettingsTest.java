package io.isle.fabric.ring.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.base.Setting;
import io.isle.api.fabric.LayerRange;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingRole;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Settings of nodes: defaults, limits, and mistakes that name their key. */
class NodeSettingsTest {
  private static final Map<String, String> LEAST =
      Map.of("dim", "64", "listen", "tcp://127.0.0.1:9001", "next", "udp://[::1]:9002");

  private static NodeSettings with(String... pairs) {
    Map<String, String> given = new HashMap<>(LEAST);
    for (int i = 0; i < pairs.length; i += 2) {
      given.put(pairs[i], pairs[i + 1]);
    }
    given.values().removeIf(String::isEmpty);
    return NodeSettings.of(given);
  }

  @Test
  void theDefaultsAreAWorkerThatPassesPackets() {
    NodeSettings settings = with();
    assertEquals("ring", settings.ring());
    assertEquals(RingRole.WORKER, settings.role());
    assertEquals(264, settings.packetBytes());
    assertEquals(new LayerRange(0, 0, false), settings.range());
    assertEquals("pass", settings.stage());
    assertEquals(List.of(PathAddress.of("tcp://127.0.0.1:9001")), settings.listen());
    assertEquals(new PathAddress("shm", "ring-a.1"), with("next", "shm://ring-a.1").next());
    assertEquals("udp", settings.next().transport());
    assertEquals("[::1]:9002", settings.next().place());
    assertEquals(List.of(), settings.allow());
    assertEquals(new NodeSettings.Place(false, 0), settings.process());
    assertEquals(
        new NodeSettings.Place(true, 32 << 20),
        with("process", "own", "heap_bytes", "32m").process());
  }

  @Test
  void theDefaultsOfAllSettingsAreValid() {
    for (Setting setting : NodeKeys.SCHEMA) {
      assertEquals(Optional.empty(), setting.refusal(setting.defaultValue()), setting.key());
    }
  }

  @Test
  void aTailHasItsFlag() {
    NodeSettings settings = with("role", "tail", "start", "3", "end", "12", "layers", "12");
    assertEquals(new LayerRange(3, 12, true), settings.range());
  }

  @Test
  void networksAreAList() {
    assertEquals(List.of("10.0.0.0/8", "::1/128"), with("allow", " 10.0.0.0/8, ::1/128,").allow());
  }

  @ParameterizedTest
  @CsvSource({
    "role, boss, role: 'boss'",
    "dim, -1, dim: '-1'",
    "dim, '', dim: missing",
    "packet_bytes, 100, dim and packet_bytes: 64 and 100",
    "layers, 65537, layers: '65537'",
    "end, 70000, end: '70000'",
    "start, 5, 'end: 0 is less than start, 5'",
    "stage, a b, stage: 'a b'",
    "ring, -x, ring: '-x'",
    "listen, 127.0.0.1:1, listen: '127.0.0.1:1' is not an address",
    "next, '', next: missing",
    "prev.dialect, klingon, prev.dialect: 'klingon'",
    "spin_us, x, spin_us: 'x'",
    "colour, red, is not a key of a node",
    "reassembly_bytes, 1, reassembly_bytes: '1'",
  })
  void aMistakeNamesItsKey(String key, String value, String message) {
    RingException refused = assertThrows(RingException.class, () -> with(key, value));
    assertEquals(Errno.EINVAL, refused.code());

    assertTrue(refused.getMessage().contains(message), refused.getMessage());
  }

  @Test
  void aLastLayerBeyondTheModelIsRefused() {
    RingException refused =
        assertThrows(RingException.class, () -> with("layers", "4", "end", "5"));
    assertTrue(refused.getMessage().startsWith("end: 5 is beyond layers, 4"));
  }

  @Test
  void aPacketThatDatagramsCannotCarryIsRefused() {
    RingException refused = assertThrows(RingException.class, () -> with("dim", "100000000"));
    assertEquals(Errno.EMSGSIZE, refused.code());
    assertTrue(refused.getMessage().contains(Integer.toString(NodeSettings.MAX_PACKET)));
  }

  @Test
  void onlySettingsOfLinksMayChangeWithoutANewNode() {
    NodeSettings before = with();
    NodeSettings moved = with("next", "tcp://127.0.0.1:7", "spin_us", "0", "plaintext", "true");
    assertEquals(moved, before.withLinksOf(moved));
    NodeSettings other = with("stage", "mix");
    assertEquals(before, before.withLinksOf(other));
  }
}
