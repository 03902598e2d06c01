package io.isle.inference.engine.load;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.MonotonicClock;
import io.isle.api.inference.DecisionOutput.Outside;
import io.isle.inference.engine.decide.TestPoint;
import io.isle.inference.engine.slot.ModelFiles;
import io.isle.lib.model.ModelException;
import io.isle.lib.model.ModelFault;
import io.isle.lib.model.ModelProof;
import io.isle.lib.model.ProofSettings;
import io.isle.lib.model.ProvenModel;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WarmUpTest {
  private static final long SECOND = 1_000_000_000L;

  private final TestPoint point = new TestPoint(Outside.CLAMP);
  private final ProvenModel model =
      ModelProof.prove(
          ModelFiles.unsigned(point.spec(), 1, 10),
          new ProofSettings(
              Optional.of(point.spec()),
              Optional.empty(),
              point.spec().budgetNs(),
              ProofSettings.MAX_PARAM_BYTES,
              List.of(),
              true,
              ModelFiles.NOW));

  /** A clock of which every 101st time is a millisecond late. */
  private static MonotonicClock clock() {
    long[] state = new long[2];
    return () -> state[0] += ++state[1] % 101 == 0 ? 1_000_000 : 1;
  }

  @Test
  void tenCallsInARowAreEnough() {
    assertDoesNotThrow(() -> new WarmUp(clock(), 10, SECOND).run(point, model));
  }

  @Test
  void aThousandAreMoreThanThisMachineKeeps() {
    ModelException e =
        assertThrows(
            ModelException.class, () -> new WarmUp(clock(), 1000, SECOND).run(point, model));
    assertEquals(ModelFault.TOO_SLOW, e.fault());
    assertTrue(e.getMessage().contains("no 1000 calls in a row"), e.getMessage());
  }
}
