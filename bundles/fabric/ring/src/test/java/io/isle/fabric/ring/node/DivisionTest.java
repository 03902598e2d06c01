package io.isle.fabric.ring.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.fabric.ring.settings.NodeSettings;
import io.isle.lib.leap.ControlReader;
import io.isle.lib.leap.ResizePlan;
import io.isle.lib.leap.isle.RollCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** When a master gives the layers again, by its roll calls. */
class DivisionTest {
  private static final long SECOND = 1_000_000_000L;
  private static final RollCall.Entry RELAY = entry("relay", 3, 0, 0, false);

  private final List<String> repeats = new ArrayList<>();
  private final ControlReader reader = new ControlReader();
  private int rolls;
  private boolean full;
  private long now = SECOND;
  private final Division division =
      new Division(
          "m",
          NodeSettings.of(
              Map.of(
                  "role",
                  "master",
                  "dim",
                  "64",
                  "layers",
                  "12",
                  "listen",
                  "tcp://127.0.0.1:1",
                  "next",
                  "tcp://127.0.0.1:2")),
          Arena.ofAuto().allocate(264, 8),
          this::offer,
          time -> rolls++);

  private boolean offer(MemorySegment packet) {
    assertTrue(reader.packet(packet, 0, 264));
    if (!full) {
      repeats.add(reader.workers() + " workers, the last from " + reader.start(1));
    }
    return !full;
  }

  private static RollCall.Entry entry(String node, int role, int start, int end, boolean resized) {
    return new RollCall.Entry(node, "", 1, role, 1, start, end, end == 12, resized, 0);
  }

  private void resize() {
    division.begin();
    division.sent();
    division.confirmed(ResizePlan.of(12, 3, 6, 12));
    division.end(now);
  }

  private void roll(RollCall.Entry... nodes) {
    now += SECOND;
    division.rolled(List.of(nodes), now - 1, now);
  }

  @Test
  void workersThatHaveTheirLayersAreLeftAlone() {
    resize();
    roll(entry("a", 1, 3, 6, true), RELAY, entry("b", 2, 6, 12, true), entry("c", 1, 0, 0, false));
    assertEquals(List.of(), repeats);
  }

  @Test
  void aWorkerThatStartedAgainGetsItsLayersAlsoIfItsSettingsHaveTheSame() {
    resize();
    roll(entry("a", 1, 3, 6, true), RELAY, entry("b", 2, 6, 12, false));
    assertEquals(List.of("2 workers, the last from 6"), repeats);
  }

  @Test
  void aWorkerThatRefusesIsAskedLessAndLessOften() {
    resize();
    for (int i = 0; i < 120; i++) {
      roll(entry("a", 1, 0, 4, false), entry("b", 2, 6, 12, true));
    }
    assertTrue(repeats.size() >= 4 && repeats.size() <= 6, repeats.size() + " repeats in 2 min");
  }

  @Test
  void aRollCallOfBeforeTheResizeAndARollOfTooFewWorkersChangeNothing() {
    resize();
    division.rolled(List.of(entry("a", 1, 0, 4, false), entry("b", 1, 4, 5, true)), now, now + 1);
    roll(entry("a", 1, 0, 4, false));
    division.begin();
    roll(entry("a", 1, 0, 4, false), entry("b", 2, 6, 12, true));
    assertEquals(List.of(), repeats);
  }

  @Test
  void withoutRoomTheRepeatIsTriedAgain() {
    resize();
    full = true;
    roll(entry("a", 1, 3, 6, true), entry("b", 2, 6, 12, false));
    full = false;
    roll(entry("a", 1, 3, 6, true), entry("b", 2, 6, 12, false));
    assertEquals(1, repeats.size());
  }

  @Test
  void aNewMasterTakesTheDivisionOnceTwoRollCallsAgree() {
    RollCall.Entry lacking = entry("b", 2, 0, 0, false);
    roll(entry("a", 1, 3, 6, true), entry("b", 2, 6, 12, true));
    roll(entry("a", 1, 3, 6, true), lacking);
    roll(entry("a", 1, 3, 6, true), entry("b", 2, 6, 12, true));
    assertEquals(List.of(), repeats, "two that differ");
    roll(entry("a", 1, 3, 6, true), entry("b", 2, 6, 12, true));
    roll(entry("a", 1, 3, 6, true), lacking);
    assertEquals(1, repeats.size());
    assertTrue(rolls > 0);
  }

  @Test
  void layersThatDoNotAdjoinOrComeFromSettingsAreNoDivision() {
    for (int i = 0; i < 3; i++) {
      roll(entry("a", 1, 3, 6, true), entry("b", 2, 7, 12, true));
    }
    for (int i = 0; i < 3; i++) {
      roll(entry("a", 1, 3, 6, false), entry("b", 2, 6, 12, false));
    }
    roll(entry("a", 1, 0, 0, false), entry("b", 2, 0, 0, false));
    assertEquals(List.of(), repeats);
  }

  @Test
  void aDivisionOfTheTenantIsNotUndone() {
    resize();
    assertTrue(division.ownsAcknowledgements());
    division.byTenant(now);
    assertFalse(division.ownsAcknowledgements());
    for (int i = 0; i < 3; i++) {
      roll(entry("a", 1, 1, 2, true), entry("b", 2, 2, 12, true));
    }
    assertEquals(List.of(), repeats);
    roll(entry("a", 1, 0, 0, false), entry("b", 2, 2, 12, true));
    assertEquals(List.of("2 workers, the last from 2"), repeats);
  }
}
