package io.isle.lib.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.lib.shm.SharedSleepModel.Flaw;
import io.isle.lib.shm.SharedSleepModel.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whether any order of steps loses a ring at one of two agents of a thread. */
@Timeout(120)
class SharedSleepModelTest {
  @Test
  void noRingIsLostInAnyOrder() {
    Outcome outcome = new SharedSleepModel(Flaw.NONE, 3).explore();
    assertEquals(0, outcome.lostWakes());
    assertTrue(outcome.states() > 1_000, outcome::toString);
  }

  /** The model finds what it is for. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void whatIsDoneWrongLosesOne(Flaw flaw) {
    assertTrue(new SharedSleepModel(flaw, 3).explore().lostWakes() > 0);
  }
}
