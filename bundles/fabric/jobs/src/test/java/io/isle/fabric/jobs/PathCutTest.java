package io.isle.fabric.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.RingException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathCutTest {
  private static PathCut cut(FakeRings rings) {
    return new PathCut(rings, rings.relays);
  }

  private static void assertAsBefore(FakeRings rings, String transport) {
    assertEquals(transport + "://2", rings.next("demo-1"));
    assertEquals(List.of(transport + "://2"), rings.listen("demo-2"));
    assertTrue(rings.relays.made.isEmpty());
  }

  @Test
  void aLinkOfDialectIsleGoesByARelayToAnotherAddressOfTheNextNode() throws Exception {
    FakeRings rings = new FakeRings("tcp", Dialect.ISLE);
    cut(rings)
        .run(
            "demo-1",
            0,
            () -> {
              var relay = rings.relays.made.get("demo-1");
              assertEquals(List.of("tcp://2", relay.get("to")), rings.listen("demo-2"));
              assertEquals(relay.get("listen"), rings.next("demo-1"));
              assertEquals("true", relay.get("fault_injection"));
              rings.calls.add("cutting");
            });
    assertEquals(
        List.of(
            "relay demo-1",
            "demo-2 listen",
            "demo-1 next",
            "cutting",
            "cut demo-1",
            "demo-1 next",
            "demo-2 listen",
            "no relay demo-1"),
        rings.calls);
    assertAsBefore(rings, "tcp");
  }

  @Test
  void aLinkOfDialectLeapGoesByARelayToTheAddressItself() throws Exception {
    FakeRings rings = new FakeRings("udp", Dialect.LEAP);
    cut(rings)
        .run("demo-1", 1, () -> assertEquals("udp://2", rings.relays.made.get("demo-1").get("to")));
    assertEquals(
        List.of(
            "relay demo-1",
            "demo-1 next",
            "relay demo-1 {black_hole=both}",
            "demo-1 next",
            "no relay demo-1"),
        rings.calls);
    assertAsBefore(rings, "udp");
  }

  @Test
  void theRelayGoesAfterAFailure() {
    FakeRings rings = new FakeRings("tcp", Dialect.ISLE);
    IllegalStateException stopped = new IllegalStateException("the job has ended");
    Runnable stops =
        () -> {
          throw stopped;
        };
    assertEquals(
        stopped,
        assertThrows(IllegalStateException.class, () -> cut(rings).run("demo-1", 0, stops)));
    assertAsBefore(rings, "tcp");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          shm | demo-1 | 100 | demo-1: no relay can stand in a path by shm; use tcp
          udp | demo-1 | 0   | demo-1: datagrams have no connection to cut; set for_ms
          tcp | other  | 0   | other: the node or its relay was removed
          """)
  void impossibleCutsAreRefused(String transport, String node, long ms, String message) {
    FakeRings rings = new FakeRings(transport, Dialect.ISLE);
    RingException refused =
        assertThrows(RingException.class, () -> cut(rings).run(node, ms, () -> {}));
    assertEquals(message, refused.getMessage());
    assertEquals(List.of(), rings.calls);
  }
}
