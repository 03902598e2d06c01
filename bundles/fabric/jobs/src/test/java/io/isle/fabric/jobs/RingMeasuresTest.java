package io.isle.fabric.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.fabric.FailureCause;
import io.isle.api.fabric.NodeFailure;
import io.isle.lib.drive.DriveResult;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class RingMeasuresTest {
  private static final DriveResult RESULT =
      new DriveResult(12, 10, new BitSet(), 0, 0, 0, 0, 2, 1_500_000, 2_000_000_000);

  private static NodeFailure failure(String node, long detectedNs) {
    return new NodeFailure(
        node, "", FailureCause.RESET, 0, 0, detectedNs, 0, List.of("demo-0"), "gone", "");
  }

  private static RingMeasures measures(List<NodeFailure> failures, List<FaultMoment> faults) {
    return new RingMeasures(RESULT, 2, 0, 10_000_000, 0, failures, faults);
  }

  @Test
  void detectionIsTheLongestTimeFromAFaultToItsReport() {
    RingMeasures measures =
        measures(
            List.of(failure("demo-1", 50), failure("demo-1", 400), failure("demo-2", 900)),
            List.of(
                new FaultMoment("kill", List.of("demo-1"), 100),
                new FaultMoment("cut", List.of("demo-1", "demo-2"), 850)));
    assertEquals(300, measures.values().get("detection_ns"));
    assertEquals(3, measures.values().get("failures"));
  }

  @Test
  void aFaultWithoutAReportHasNoDetection() {
    RingMeasures measures =
        measures(
            List.of(failure("demo-1", 50)),
            List.of(new FaultMoment("kill", List.of("demo-1"), 100)));
    assertFalse(measures.values().containsKey("detection_ns"));
    assertFalse(measures(List.of(), List.of()).values().containsKey("detection_ns"));
  }

  @Test
  void theTableHasThroughputGapAndWhoFailedWhen() {
    List<String> table =
        measures(
                List.of(failure("demo-1", 1_200_000_000)),
                List.of(new FaultMoment("kill", List.of("demo-1"), 1_100_000_000)))
            .table("demo");
    assertEquals(
        "ring demo: 10 frames, 5.00 MB/s, longest gap 1.5 ms, 2 lost, 2 sent again, 0 wrong",
        table.getFirst());
    assertTrue(table.get(2).matches("demo-1 +reset +1\\.200 s +100\\.0 ms +demo-0"), table.get(2));
    assertEquals(3, table.size());
  }

  @Test
  void repliesThatWereNotComparedAreNotWrong() {
    RingMeasures measures = new RingMeasures(RESULT, 0, -1, 1, 0, List.of(), List.of());
    assertFalse(measures.values().containsKey("wrong"));
    assertFalse(measures.table("demo").getFirst().contains("wrong"));
  }
}
