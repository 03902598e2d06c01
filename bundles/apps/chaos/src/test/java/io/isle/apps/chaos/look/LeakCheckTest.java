package io.isle.apps.chaos.look;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.api.chaos.ChaosReport.Leak;
import io.isle.apps.chaos.check.Resources;
import io.isle.apps.chaos.platform.SimulatedPace;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LeakCheckTest {
  private final SimulatedPace pace = new SimulatedPace();
  private long threads = 2;
  private final LeakCheck leakCheck =
      new LeakCheck(() -> new Resources(Map.of("threads a", threads)), pace);

  @Test
  void whatEndsMeanwhileIsNotInTheBaseline() throws Exception {
    threads = 3;
    pace.after(500, () -> threads = 2);
    assertEquals(Map.of("threads a", 2L), leakCheck.baseline().counts());
  }

  @Test
  void whatIsLateIsNoLeak() throws Exception {
    Resources before = leakCheck.baseline();
    threads = 5;
    pace.after(19_000, () -> threads = 2);
    assertEquals(List.of(), leakCheck.since(before, LeakCheck.SETTLE_NS));
  }

  @Test
  void whatStaysIs() throws Exception {
    Resources before = leakCheck.baseline();
    long beganMs = pace.nowMs();
    threads = 3;
    assertEquals(
        List.of(new Leak("threads a", 2, 3)), leakCheck.since(before, LeakCheck.SETTLE_NS));
    assertEquals(20_000, pace.nowMs() - beganMs);
  }

  @Test
  void withoutTimeToSettleOneLookIsAll() throws Exception {
    Resources before = leakCheck.baseline();
    long beganMs = pace.nowMs();
    threads = 3;
    assertEquals(1, leakCheck.since(before, 0).size());
    assertEquals(0, pace.nowMs() - beganMs);
  }
}
