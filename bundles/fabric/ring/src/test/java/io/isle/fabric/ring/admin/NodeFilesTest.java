package io.isle.fabric.ring.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.fabric.RingException;
import io.isle.fabric.ring.settings.NodeSettings;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NodeFilesTest {
  private static final int UNUSABLE = 77;

  private final MemoryFiles memory = new MemoryFiles();
  private final NodeFiles files = new NodeFiles(memory, this::use);

  private void use(String name, NodeSettings settings) {
    if (settings.packetBytes() == 8 + 4 * UNUSABLE) {
      throw new RingException(Errno.EMSGSIZE, "listen: too large");
    }
  }

  private static Map<String, String> node(int dim) {
    return Map.of(
        "role", "relay", "dim", Integer.toString(dim), "listen", "shm://a", "next", "shm://b");
  }

  private static Map<String, Map<String, String>> both(int first, int second) {
    Map<String, Map<String, String>> both = new LinkedHashMap<>();
    both.put("a", node(first));
    both.put("b", node(second));
    return both;
  }

  private int code(Runnable call) {
    return assertThrows(RingException.class, call::run).code();
  }

  @Test
  void severalNodesAreMadeAllOrNone() {
    assertEquals(Errno.EINVAL, code(() -> files.create(both(64, -1))));
    assertTrue(files.all().isEmpty());
    memory.broken = "io.isle.ring-b";
    assertThrows(IllegalStateException.class, () -> files.create(both(64, 64)));
    assertTrue(files.all().isEmpty());
    memory.broken = "";
    files.create(both(64, 64));
    assertEquals(2, files.all().size());
    assertEquals(Errno.EEXIST, code(() -> files.create(Map.of("b", node(64)))));
    assertEquals(Errno.EINVAL, code(() -> files.create(Map.of("../b", node(64)))));
  }

  @Test
  void severalNodesAreChangedAllOrNone() {
    files.create(both(64, 64));
    Map<String, Map<String, String>> before = files.all();
    Map<String, Map<String, String>> changes = new LinkedHashMap<>();
    changes.put("a", Map.of("spin_us", "7"));
    changes.put("b", Map.of("spin_us", "-7"));
    RingException wrong = assertThrows(RingException.class, () -> files.set(changes));
    assertTrue(wrong.getMessage().startsWith("b: spin_us"), wrong.getMessage());
    changes.put("b", Map.of("spin_us", "8"));
    memory.broken = "io.isle.ring-b";
    assertThrows(IllegalStateException.class, () -> files.set(changes));
    assertEquals(before, files.all());
    memory.broken = "";
    files.set(changes);
    assertEquals("8", files.all().get("b").get("spin_us"));
    assertEquals(Errno.ENOENT, code(() -> files.set(Map.of("c", Map.of("spin_us", "8")))));
    assertTrue(files.remove("b"));
    assertEquals(Set.of("a"), files.all().keySet());
  }

  @Test
  void whatATransportCannotUseIsNotWritten() {
    RingException refused =
        assertThrows(
            RingException.class, () -> files.create(Map.of("a", node(1), "b", node(UNUSABLE))));
    assertEquals("b: listen: too large", refused.getMessage());
    files.create(Map.of("a", node(1)));
    assertThrows(
        RingException.class,
        () -> files.set(Map.of("a", Map.of("dim", Integer.toString(UNUSABLE)))));
    assertEquals("1", files.all().get("a").get("dim"));
    assertEquals(1, files.all().size());
  }
}
