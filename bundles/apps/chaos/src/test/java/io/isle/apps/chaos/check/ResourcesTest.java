package io.isle.apps.chaos.check;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.api.chaos.ChaosReport.Leak;
import io.isle.apps.chaos.plan.FaultKind;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ResourcesTest {
  @Test
  void whatThereIsMoreOfIsALeak() {
    Resources before = new Resources(Map.of("threads a", 2L, "handles context", 0L, "gone", 5L));
    Resources after =
        new Resources(Map.of("threads a", 3L, "handles context", 1L, "descriptors memfd", 1L));
    assertEquals(
        List.of(
            new Leak("descriptors memfd", 0, 1),
            new Leak("handles context", 0, 1),
            new Leak("threads a", 2, 3)),
        after.beyond(before));
  }

  @Test
  void lessThanBeforeIsNone() {
    Resources before = new Resources(Map.of("threads a", 2L));
    assertEquals(List.of(), new Resources(Map.of("threads a", 1L)).beyond(before));
    assertEquals(List.of(), before.beyond(before));
  }

  @Test
  void handlesOfTheCoreAreNamedWhenTheyAreLeft() {
    Resources left =
        new Resources(Map.of("handles context", 2L, "handles memory", 0L, "threads a", 1L));
    assertEquals(List.of("handles context: 2"), left.handles());
  }

  @Test
  void whatIsThereOnlyForAMomentDoesNotCount() {
    Resources one = new Resources(Map.of("threads a", 2L, "threads b", 1L));
    Resources other = new Resources(Map.of("threads a", 3L, "threads c", 1L));
    assertEquals(Map.of("threads a", 2L, "threads b", 0L), one.least(other).counts());
  }

  @Test
  void faultsAreCountedByKind() {
    Tally tally = new Tally();
    tally.add(FaultKind.HANG);
    tally.add(FaultKind.HANG);
    tally
        .faults(1.5)
        .forEach(
            fault -> {
              assertEquals(fault.kind().equals("hang") ? 2 : 0, fault.done());
              assertEquals(15, fault.wanted());
            });
  }

  @Test
  void quantilesAreNearestRanks() {
    List<Long> values = LongStream.rangeClosed(1, 200).boxed().toList().reversed();
    assertEquals(100, Quantiles.of(values, 0.5));
    assertEquals(198, Quantiles.of(values, 0.99));
    assertEquals(7, Quantiles.of(List.of(7L), 0.99));
    assertEquals(0, Quantiles.of(List.of(), 0.5));
  }
}
