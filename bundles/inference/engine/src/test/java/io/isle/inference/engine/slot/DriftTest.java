package io.isle.inference.engine.slot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.inference.Decider;
import io.isle.api.inference.SlotInfo;
import io.isle.inference.engine.decide.TestPoint;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DriftTest {
  /** An outcome far from what the model says, which the rule foresees. */
  private static final int FAR = -700;

  @TempDir private Path folder;
  private SlotWorld world;

  @BeforeEach
  void begin() {
    world = new SlotWorld(folder);
    boolean ignored = SlotAdmin.load(world.slot, world.model(1, 300), false);
  }

  private SlotInfo.GroupInfo group(String name) {
    return world.slot.info().groups().stream()
        .filter(one -> one.group().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private void looks(Decider decider, int count, int actual) {
    for (int look = 0; look < count; look++) {
      world.outcomes(decider, 300, actual);
      world.pass(10);
    }
  }

  @Test
  void aWrongModelIsDisabledAndStaysSoOverARestart() {
    try (Decider decider = world.open("team-a")) {
      looks(decider, 2, FAR);
      assertEquals("", world.reason());
      looks(decider, 1, FAR);
      assertEquals("drift", world.reason());
      assertEquals(TestPoint.RULE, SlotWorld.decide(decider, 1));
    }
    assertTrue(world.slot.info().serving().orElseThrow().score().driftDetected());
    assertTrue(
        world.events.containsAll(
            List.of("drift team-a", "entered team-a drift", "entered  drift", "drift ")),
        world.events.toString());
    world.restart();
    assertEquals("drift", world.reason());
    assertEquals(TestPoint.RULE, world.decide());
    assertTrue(world.slot.info().fallback().adminNeeded());
    SlotAdmin.load(world.slot, world.model(2, 300), false);
    assertEquals("", world.reason());
    assertEquals(301, world.decide());
  }

  @Test
  void anAdminEndsADriftAndAThirdBadLookBringsItBack() {
    try (Decider decider = world.open("team-a")) {
      looks(decider, 3, FAR);
      SlotAdmin.reset(world.slot, "");
      assertEquals("", world.reason());
      assertEquals(301, SlotWorld.decide(decider, 1));
      assertFalse(group("team-a").score().driftDetected());
      looks(decider, 3, FAR);
      assertEquals("drift", world.reason());
    }
  }

  @Test
  void ofTwoGroupsTheUnforeseeableOneLosesTheModel() {
    try (Decider bad = world.open("bad");
        Decider good = world.open("good")) {
      for (int look = 0; look < 3; look++) {
        world.outcomes(bad, 1000, FAR);
        world.outcomes(good, 300, 350);
        world.pass(10);
      }
      assertEquals(TestPoint.RULE, SlotWorld.decide(bad, 1));
      assertEquals(301, SlotWorld.decide(good, 1));
      assertEquals("", world.reason());
      assertEquals("drift", group("bad").fallback().reason());
      assertEquals("", group("good").fallback().reason());
      for (int look = 0; look < 12; look++) {
        world.outcomes(bad, 1000, 350);
        world.pass(10);
      }
      assertEquals(301, SlotWorld.decide(bad, 1));
    }
    assertTrue(world.events.contains("drift_ended bad"), world.events.toString());
  }

  @Test
  void nonsenseOfOneGroupTakesTheModelFromThatGroup() {
    try (Decider bad = world.open("bad");
        Decider good = world.open("good")) {
      world.outcomes(good, 300, 350);
      world.outcomes(bad, 300, 350);
      for (int i = 0; i < 300; i++) {
        assertEquals(TestPoint.RULE, SlotWorld.decide(bad, 900));
      }
      world.pass(1);
      assertEquals("input_anomaly", group("bad").fallback().reason());
      assertEquals(TestPoint.RULE, SlotWorld.decide(bad, 1));
      assertEquals(301, SlotWorld.decide(good, 1));
      assertEquals("", world.reason());
      assertTrue(group("bad").fallback().decisions() >= 0);
    }
  }

  @Test
  void withoutAutoDisableADriftIsOnlyTold() {
    world.set("auto_disable", "false");
    try (Decider decider = world.open("team-a")) {
      looks(decider, 3, FAR);
      assertTrue(world.slot.info().serving().orElseThrow().score().driftDetected());
      assertEquals("", world.reason());
      assertEquals(301, SlotWorld.decide(decider, 1));
      assertEquals(List.of("drift team-a"), world.events);
    }
  }

  @Test
  void theRuleDecidesAndTheModelIsScored() {
    world.set("mode", "heuristic");
    try (Decider decider = world.open("team-a")) {
      looks(decider, 1, 350);
      assertEquals(TestPoint.RULE, SlotWorld.decide(decider, 1));
      assertTrue(group("team-a").score().advantage() > 0.2);
    }
  }
}
