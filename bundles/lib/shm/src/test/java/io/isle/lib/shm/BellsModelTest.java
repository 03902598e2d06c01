package io.isle.lib.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.lib.shm.BellsModel.Flaw;
import io.isle.lib.shm.BellsModel.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** All orders of the steps of an agent, who rings for it, and who takes a page from it. */
class BellsModelTest {
  @Test
  void noOrderLosesAWakeOrUsesAPageThatIsGone() {
    Outcome outcome = new BellsModel(Flaw.NONE, false, 1, 2, 1).explore();
    assertEquals(0, outcome.lostWakes());
    assertEquals(0, outcome.deadReads());
    assertTrue(outcome.states() > 100_000, outcome.states() + " states");
  }

  @Test
  void aRingIsNoticedTwiceAtMost() {
    Outcome outcome = new BellsModel(Flaw.NONE, true, 1, 2, 0).explore();
    assertEquals(0, outcome.tooManyWakes());
    assertEquals(4, outcome.mostWakes());
  }

  /** So that the model is known to see what it looks for. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void everyFlawIsFound(Flaw flaw) {
    Outcome outcome = new BellsModel(flaw, false, 1, 1, 1).explore();
    assertTrue(outcome.lostWakes() + outcome.deadReads() > 0, outcome.toString());
  }
}
