package io.isle.fabric.ring.isle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.isle.api.fabric.RingSide;
import io.isle.fabric.ring.link.LinkMeter;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * An end listens at two addresses, in virtual time. The first lane is the one that a stranger
 * reaches, so that its bytes are read before those of the neighbour.
 */
class TakenPlaceTest {
  private static final long MS = 1_000_000;
  private static final int PATIENCE = 20_000;

  private final Arena arena = Arena.ofConfined();
  private final FakeLine otherLine = new FakeLine(1);
  private final FakeLine line = new FakeLine(2);
  private final List<End> polled = new ArrayList<>();
  private final End prev = new End(End.spec(RingSide.PREV, "w"), 1, arena);
  private final Lane second = prev.machine.open();
  private final End neighbour = end("n", 11);
  private long now = 1;

  TakenPlaceTest() {
    polled.add(prev);
    prev.lane.port(otherLine.listener, false, now);
    second.port(line.listener, false, now);
    neighbour.lane.port(line.connector, false, now);
    polled.add(neighbour);
    until(() -> prev.machine.isUp() && neighbour.machine.isUp());
  }

  @AfterEach
  void close() {
    arena.close();
  }

  private End end(String node, long session) {
    return new End(End.spec(RingSide.NEXT, node), session, arena);
  }

  private void steps(int count) {
    for (int i = 0; i < count; i++) {
      now += MS;
      for (End end : polled) {
        long ignored = end.machine.poll(now);
      }
    }
  }

  private void until(BooleanSupplier holds) {
    for (int i = 0; i < PATIENCE; i++) {
      if (holds.getAsBoolean()) {
        return;
      }
      steps(1);
    }
    fail(prev.lane.reason() + second.reason());
  }

  /** Packets of an end arrive, and so do those to it. */
  private void exchange(End from, int count) {
    for (int i = 0; i < count; i++) {
      assertTrue(from.send(now) && prev.send(now));
      until(() -> prev.receive(now));
      until(() -> from.receive(now));
    }
  }

  /** Another node connects to the other address. */
  private End stranger(String node, long session) {
    End stranger = end(node, session);
    stranger.lane.port(otherLine.connector, false, now);
    polled.add(stranger);
    return stranger;
  }

  private String previous() {
    return prev.machine.isUp() ? prev.machine.peer().node() : "";
  }

  @Test
  void anotherNodeIsRefusedWhileAPathIsUp() {
    exchange(neighbour, 5);
    End stranger = stranger("x", 33);
    for (int i = 0; i < 20; i++) {
      steps(200);
      assertFalse(stranger.machine.isUp());
      exchange(neighbour, 5);
    }
    assertEquals("n", previous());
    assertEquals(1, prev.meter.get(LinkMeter.PATHS));
    assertEquals(0, prev.signs.lost + prev.signs.restarts);
    assertTrue(prev.signs.refused > 2, () -> "it tries again: " + prev.signs.refused);
    assertEquals(prev.signs.refused, prev.meter.get(LinkMeter.STRAYS));
    assertEquals(
        "the next node refuses: node n is the previous node of w, and its path is up; set next of"
            + " node x to another node, or stop node n",
        stranger.lane.reason());
  }

  /** The program of this node stood still: what the neighbour has sent is not read yet. */
  @Test
  void aPauseOfThisNodeIsNoEndOfThePath() {
    polled.remove(prev);
    steps(3000);
    End stranger = stranger("x", 33);
    steps(200);
    polled.add(prev);
    steps(1000);
    assertFalse(stranger.machine.isUp());
    assertEquals("n", previous());
    assertTrue(prev.signs.refused > 0);
  }

  @Test
  void aParkedPathKeepsThePlace() {
    second.port(null, true, now);
    End stranger = stranger("x", 33);
    steps(500);
    assertFalse(stranger.machine.isUp());
    second.port(line.listener, true, now);
    exchange(neighbour, 5);
    assertEquals(1, prev.meter.get(LinkMeter.PATHS));
  }

  @Test
  void anotherNodeIsTakenOnceThePathHasEnded() {
    End stranger = stranger("x", 33);
    steps(500);
    neighbour.lane.port(null, false, now);
    line.connector.disconnect("");
    polled.remove(neighbour);
    until(() -> stranger.machine.isUp());
    until(() -> previous().equals("x"));
    exchange(stranger, 5);
  }

  @Test
  void anotherNodeIsTakenOnceThePathIsSilent() {
    End stranger = stranger("x", 33);
    polled.remove(neighbour);
    steps(900);
    assertEquals("n", previous());
    long since = now;
    until(() -> previous().equals("x"));
    // four heartbeats of 250 ms, and the pause between two attempts of the stranger
    assertTrue(now - since < 2200 * MS, () -> (now - since) / MS + " ms");
    exchange(stranger, 5);
  }

  @Test
  void theNeighbourMayHaveASecondPath() {
    exchange(neighbour, 5);
    Lane another = neighbour.machine.open();
    another.port(otherLine.connector, false, now);
    until(() -> prev.lane.isCurrent() && another.isCurrent());
    exchange(neighbour, 5);
    assertEquals(0, prev.signs.refused + prev.signs.restarts);
    assertEquals(0, prev.meter.get(LinkMeter.LOST));
  }

  /** The path of the program before still seems to be up: nobody has told of its end. */
  @Test
  void theNeighbourMayComeBackByItsSecondPath() {
    exchange(neighbour, 5);
    polled.remove(neighbour);
    End again = stranger("n", 12);
    prev.received = 0;
    prev.sent = 0;
    until(() -> again.machine.isUp());
    exchange(again, 5);
    assertEquals(1, prev.signs.restarts);
    assertEquals(0, prev.signs.lost + prev.signs.refused);
    assertFalse(second.isUp(), "frames of the session before count no more");
  }
}
