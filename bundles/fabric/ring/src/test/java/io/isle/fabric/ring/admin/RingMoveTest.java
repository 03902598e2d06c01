package io.isle.fabric.ring.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.LinkCounters;
import io.isle.api.fabric.LinkInfo;
import io.isle.api.fabric.PortState;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingNodeInfo;
import io.isle.api.fabric.RingRole;
import io.isle.api.fabric.RingSide;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RingMoveTest {
  private static final Map<String, Map<String, String>> CHANGES =
      Map.of("a", Map.of("next", "udp://b"), "b", Map.of("listen", "udp://b"));

  private static LinkInfo link(RingSide side, Dialect dialect, long paths, String... addresses) {
    return new LinkInfo(
        side,
        dialect,
        List.of(addresses),
        PortState.UP,
        "",
        Optional.empty(),
        List.of(),
        new LinkCounters(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, paths));
  }

  private static List<RingNodeInfo> ring(Dialect dialect, long paths, String... listen) {
    return List.of(
        Infos.node(
            "a",
            RingRole.MASTER,
            link(RingSide.PREV, dialect, 1, "tcp://a"),
            link(RingSide.NEXT, dialect, paths, "tcp://b")),
        Infos.node(
            "b",
            RingRole.TAIL,
            link(RingSide.PREV, dialect, 1, listen),
            link(RingSide.NEXT, dialect, 1, "tcp://a")));
  }

  @Test
  void ofDialectIsleTheOldAddressStaysUntilTheNewPathIsUp() {
    RingMove move = new RingMove(CHANGES, ring(Dialect.ISLE, 3, "tcp://b"));
    assertEquals(
        Map.of("a", Map.of("next", "udp://b"), "b", Map.of("listen", "tcp://b,udp://b")),
        move.begin());
    List<RingNodeInfo> same = ring(Dialect.ISLE, 3, "tcp://b", "udp://b");
    assertFalse(move.isOver(same));
    RingException late = assertThrows(RingException.class, () -> move.end(same));
    assertEquals(Errno.ETIMEDOUT, late.code());
    assertTrue(late.getMessage().startsWith("a: no path came up at udp://b"), late.getMessage());
    List<RingNodeInfo> moved = ring(Dialect.ISLE, 4, "tcp://b", "udp://b");
    assertTrue(move.isOver(moved));
    assertEquals(Map.of("b", Map.of("listen", "udp://b")), move.end(moved));
    assertEquals(List.of("a", "b"), move.nodes());
  }

  @Test
  void ofDialectLeapThereIsOnePathAtATime() {
    RingMove move = new RingMove(CHANGES, ring(Dialect.LEAP, 3, "tcp://b"));
    assertEquals(CHANGES, move.begin());
    assertEquals(Map.of(), move.end(ring(Dialect.LEAP, 4, "udp://b")));
  }
}
