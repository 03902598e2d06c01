package io.isle.inference.engine.slot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.inference.Decider;
import io.isle.api.inference.ModelInfo;
import io.isle.api.inference.SlotInfo;
import io.isle.inference.engine.decide.TestPoint;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each limit of the settings takes effect on a slot that runs. */
class LimitsTest {
  /** An outcome far from what the model says, which the rule foresees. */
  private static final int FAR = -700;

  /** One that the model foresees. */
  private static final int NEAR = 350;

  @TempDir private Path folder;
  private SlotWorld world;

  @BeforeEach
  void begin() {
    world = new SlotWorld(folder);
    boolean ignored = SlotAdmin.load(world.slot, world.model(1, 300), false);
  }

  private ModelInfo serving() {
    return world.slot.info().serving().orElseThrow();
  }

  private SlotInfo.GroupInfo group(String name) {
    return world.slot.info().groups().stream()
        .filter(one -> one.group().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void fewerOutcomesAndLooksAreADrift() {
    try (Decider decider = world.open("team-a")) {
      world.outcomes(decider, 20, FAR);
      world.pass(10);
      assertFalse(group("team-a").score().driftDetected());
      world.setEngine("window_outcomes", "20");
      world.outcomes(decider, 1, FAR);
      world.pass(10);
      assertFalse(group("team-a").score().driftDetected(), "one look of three");
      world.setEngine("looks", "2");
      world.outcomes(decider, 1, FAR);
      world.pass(10);
      assertTrue(group("team-a").score().driftDetected());
    }
  }

  @Test
  void looksComeAsOftenAsTheSettingsSay() {
    world.setEngine("looks", "1");
    try (Decider decider = world.open("team-a")) {
      world.outcomes(decider, 300, FAR);
      world.pass(3);
      assertFalse(group("team-a").score().driftDetected());
      world.setEngine("look_s", "3");
      world.pass(0);
      assertTrue(group("team-a").score().driftDetected());
    }
  }

  @Test
  void aScoreIsOfSoManySeconds() {
    world.setEngine("window_outcomes", "1");
    try (Decider decider = world.open("team-a")) {
      world.outcomes(decider, 30, NEAR);
      world.pass(20);
      world.outcomes(decider, 5, NEAR);
      assertEquals(35, serving().score().outcomes());
      world.setEngine("window_s", "10");
      world.pass(0);
      assertEquals(5, serving().score().outcomes());
      assertEquals(5, group("team-a").score().outcomes());
    }
  }

  @Test
  void aBetterAnswerIsNeededToCountAsCorrect() {
    try (Decider decider = world.open("team-a")) {
      world.outcomes(decider, 10, NEAR);
      assertEquals(10, serving().counters().correct());
      world.setEngine("correct_score", "1000");
      world.outcomes(decider, 10, NEAR);
      assertEquals(10, serving().counters().correct());
    }
  }

  /** Both groups count, one of them has the drift. */
  private void driftOfOneOfTwo() {
    try (Decider bad = world.open("bad");
        Decider good = world.open("good")) {
      for (int look = 0; look < 3; look++) {
        world.outcomes(bad, 300, FAR);
        world.outcomes(good, 300, NEAR);
        world.pass(10);
      }
      assertEquals("drift", group("bad").fallback().reason());
    }
  }

  @Test
  void halfOfTheGroupsIsTooManyWhenSetSo() {
    world.setEngine("group_percent", "49");
    driftOfOneOfTwo();
    assertEquals("drift", world.reason());
  }

  @Test
  void aGroupWithFewOutcomesDoesNotCount() {
    world.setEngine("group_outcomes", "301");
    try (Decider quiet = world.open("quiet")) {
      world.outcomes(quiet, 300, NEAR);
      driftOfOneOfTwo();
      assertEquals("", world.reason(), "one of two groups that count");
      world.setEngine("group_outcomes", "901");
      assertEquals("", world.reason(), "none counts");
    }
    assertFalse(serving().score().driftDetected());
  }

  @Test
  void fewerCallsAndLessOutsideAreAnAnomaly() {
    try (Decider decider = world.open("team-a")) {
      world.setEngine("distribution_calls", "20");
      for (int i = 0; i < 20; i++) {
        int ignored = SlotWorld.decide(decider, i < 5 ? 101 : 1);
      }
      world.pass(0);
      assertEquals("", group("team-a").fallback().reason(), "a quarter of them");
      world.setEngine("outside_percent", "24");
      for (int i = 0; i < 20; i++) {
        int ignored = SlotWorld.decide(decider, i < 5 ? 101 : 1);
      }
      world.pass(0);
      assertEquals("input_anomaly", group("team-a").fallback().reason());
    }
  }

  @Test
  void aMeanThatIsNearerIsAnAnomaly() {
    calls(90, 90, "mean_stddevs", "1");
  }

  @Test
  void aVarianceThatIsSmallerIsAnAnomaly() {
    calls(90, -90, "variance_times", "2");
  }

  /**
   * Calls within the trained range, whose deviation is 60, are an anomaly after the change only.
   */
  private void calls(int first, int second, String key, String value) {
    try (Decider decider = world.open("team-a")) {
      for (int i = 0; i < 256; i++) {
        int ignored = SlotWorld.decide(decider, i % 2 == 0 ? first : second);
      }
      world.pass(0);
      assertEquals("", group("team-a").fallback().reason());
      world.setEngine(key, value);
      for (int i = 0; i < 256; i++) {
        int ignored = SlotWorld.decide(decider, i % 2 == 0 ? first : second);
      }
      world.pass(0);
      assertEquals("input_anomaly", group("team-a").fallback().reason());
    }
  }

  @Test
  void oneRetryIsEnoughAndComesSooner() {
    world.setEngine("retries", "1");
    try (Decider decider = world.open("team-a")) {
      world.outcomes(decider, 256, NEAR);
      for (int i = 0; i < 256; i++) {
        int ignored = SlotWorld.decide(decider, 900);
      }
      world.pass(0);
      assertEquals("input_anomaly", group("team-a").fallback().reason());
      world.outcomes(decider, 256, NEAR);
      world.pass(2);
      assertEquals(TestPoint.RULE, SlotWorld.decide(decider, 1));
      world.setEngine("retry_s", "2");
      world.pass(0);
      assertEquals(301, SlotWorld.decide(decider, 1));
      world.pass(0);
      assertEquals("", group("team-a").fallback().reason());
    }
  }
}
