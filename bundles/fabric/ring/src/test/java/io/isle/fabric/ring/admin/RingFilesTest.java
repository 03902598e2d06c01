package io.isle.fabric.ring.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.api.fabric.RingPlan;
import io.isle.api.fabric.RingRole;
import io.isle.fabric.ring.settings.NodeSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RingFilesTest {
  private static final List<String> TRANSPORTS = List.of("shm", "tcp", "udp");

  private static RingPlan plan(int nodes, String transport, int layers) {
    return new RingPlan(
        "demo", nodes, transport, layers, Map.of("dim", "64"), Map.of("stage", "mix"));
  }

  /** A ring as its files describe it. */
  private static List<RingNodeInfo> made(Map<String, Map<String, String>> files) {
    List<RingNodeInfo> nodes = new ArrayList<>();
    files.forEach(
        (name, file) ->
            nodes.add(Infos.up(name, RingRole.TAIL, file.get("listen"), file.get("next"))));
    return nodes;
  }

  private static RingException refused(Runnable call) {
    return assertThrows(RingException.class, call::run);
  }

  @Test
  void aNewRingIsClosedAndItsLayersAreDivided() {
    Map<String, Map<String, String>> files = RingFiles.of(plan(3, "tcp", 9), List.of(), TRANSPORTS);
    assertEquals(List.of("demo-0", "demo-1", "demo-2"), List.copyOf(files.keySet()));
    for (int i = 0; i < 3; i++) {
      Map<String, String> file = files.get("demo-" + i);
      assertEquals(files.get("demo-" + (i + 1) % 3).get("listen"), file.get("next"));
      assertTrue(file.get("listen").matches("tcp://127\\.0\\.0\\.1:\\d+"));
      assertEquals("64", file.get("dim"));
      assertEquals(i == 0 ? null : "mix", file.get("stage"));
      assertEquals("demo", NodeSettings.of(file).ring());
    }
    assertEquals("master", files.get("demo-0").get("role"));
    assertFalse(files.get("demo-0").containsKey("start"));
    assertEquals(List.of("worker", "3", "6"), worker(files.get("demo-1")));
    assertEquals(List.of("tail", "6", "9"), worker(files.get("demo-2")));
  }

  private static List<String> worker(Map<String, String> file) {
    return List.of(file.get("role"), file.get("start"), file.get("end"));
  }

  @Test
  void aPlanSaysWhatIsOutOfRange() {
    for (Runnable wrong :
        List.<Runnable>of(
            () -> plan(1, "tcp", 9),
            () -> plan(18, "tcp", 99),
            () -> plan(3, "tcp", 2),
            () -> plan(3, "tcp", 65_537),
            () -> new RingPlan("a b", 2, "tcp", 2, Map.of(), Map.of()))) {
      assertEquals(Errno.EINVAL, refused(wrong).code());
    }
    RingException missing = refused(() -> RingFiles.of(plan(2, "ib", 2), List.of(), TRANSPORTS));
    assertTrue(missing.getMessage().contains("shm, tcp, udp"), missing.getMessage());
    RingException exists =
        refused(
            () ->
                RingFiles.of(
                    new RingPlan("r", 2, "tcp", 2, Map.of(), Map.of()),
                    List.of(Infos.up("n", RingRole.MASTER, "tcp://a:1", "tcp://a:2")),
                    TRANSPORTS));
    assertEquals(Errno.EEXIST, exists.code());
  }

  @Test
  void allLinksOfARingMoveOrOne() {
    List<RingNodeInfo> ring = made(RingFiles.of(plan(3, "tcp", 3), List.of(), TRANSPORTS));
    Map<String, Map<String, String>> one = RingFiles.moved("demo-1", "udp", ring, TRANSPORTS);
    assertEquals(List.of("demo-1", "demo-2"), List.copyOf(one.keySet()));
    assertTrue(one.get("demo-1").get("next").startsWith("udp://127.0.0.1:"));
    assertEquals(Map.of("listen", one.get("demo-1").get("next")), one.get("demo-2"));
    Map<String, Map<String, String>> all = RingFiles.moved("r", "shm", ring, TRANSPORTS);
    for (int i = 0; i < 3; i++) {
      String name = all.get("demo-" + i).get("listen");
      assertTrue(name.matches("shm://demo-" + i + "\\.[0-9a-f]{8}"), name);
      assertEquals(all.get("demo-" + (i + 1) % 3).get("listen"), all.get("demo-" + i).get("next"));
    }
    assertEquals(Map.of(), RingFiles.moved("r", "tcp", ring, TRANSPORTS));
  }

  @Test
  void ringsOfTheSameNameInTwoInstancesShareNoSegment() {
    Map<String, Map<String, String>> one = RingFiles.of(plan(3, "shm", 3), List.of(), TRANSPORTS);
    Map<String, Map<String, String>> other = RingFiles.of(plan(3, "shm", 3), List.of(), TRANSPORTS);
    one.forEach((node, keys) -> assertNotEquals(keys.get("listen"), other.get(node).get("listen")));
  }

  @Test
  void aLinkToAnotherMachineCannotBeMovedFromHere() {
    List<RingNodeInfo> nodes = List.of(Infos.up("head", RingRole.MASTER, "tcp://a:1", "tcp://b:1"));
    RingException away = refused(() -> RingFiles.moved("head", "udp", nodes, TRANSPORTS));
    assertTrue(away.getMessage().contains("its next node is not on this platform"));
    assertEquals(
        Errno.ENOENT, refused(() -> RingFiles.moved("none", "udp", nodes, TRANSPORTS)).code());
  }
}
