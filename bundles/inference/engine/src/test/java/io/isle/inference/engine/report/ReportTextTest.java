package io.isle.inference.engine.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.api.inference.DriftEvent;
import io.isle.api.inference.FallbackEvent;
import io.isle.api.inference.FallbackEvent.Type;
import io.isle.api.inference.FallbackReason;
import io.isle.api.inference.FallbackReason.CycleBudgetExceeded;
import io.isle.api.inference.FallbackReason.Drift;
import io.isle.api.inference.FallbackReason.HwTimeout;
import io.isle.api.inference.FallbackReason.InputDistributionAnomaly;
import org.junit.jupiter.api.Test;

class ReportTextTest {
  @Test
  void entriesNameTheFieldsOfTheReason() {
    assertEquals(
        "model=page_prefetch event=entered reason=hw_timeout device=npu0 timeout_us=2000",
        line("", "npu0", Type.ENTERED, new HwTimeout("npu0", 2000)));
    assertEquals(
        "model=page_prefetch event=entered reason=input_anomaly group=web"
            + " feature=2 value=900 min=0 max=100",
        line("web", "", Type.ENTERED, new InputDistributionAnomaly(2, 900, 0, 100)));
    assertEquals(
        "model=page_prefetch event=entered reason=drift accuracy=0.052 heuristic_accuracy=1.000",
        line("", "", Type.ENTERED, new Drift(52, 1000)));
  }

  @Test
  void allOthersNameTheTimeSinceTheEntry() {
    assertEquals(
        "model=page_prefetch event=escalation_warning reason=cycle_budget_exceeded duration_s=60",
        line("", "", Type.ESCALATION_WARNING, new CycleBudgetExceeded()));
    assertEquals(
        "model=page_prefetch event=recovered reason=cycle_budget_exceeded device=npu0"
            + " duration_s=60",
        line("", "npu0", Type.RECOVERED, new CycleBudgetExceeded()));
  }

  @Test
  void driftsNameTheScore() {
    assertEquals(
        "model=page_prefetch event=drift group=web accuracy=0.520 heuristic_accuracy=0.700"
            + " advantage=-0.180 outcomes=1234",
        ReportText.line(new DriftEvent(1, "page_prefetch", "web", true, 0.52, 0.7, 1234)));
    assertEquals(
        "model=page_prefetch event=drift_ended accuracy=0.800 heuristic_accuracy=0.700"
            + " advantage=0.100 outcomes=200",
        ReportText.line(new DriftEvent(1, "page_prefetch", "", false, 0.8, 0.7, 200)));
  }

  private static String line(String group, String device, Type type, FallbackReason reason) {
    return ReportText.line(
        new FallbackEvent(1, "page_prefetch", group, device, type, reason, 60_900_000_000L));
  }
}
