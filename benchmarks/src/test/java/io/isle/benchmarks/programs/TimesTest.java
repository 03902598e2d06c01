package io.isle.benchmarks.programs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TimesTest {
  @Test
  void linesOfOneSideAreItsTimes() throws IOException {
    String printed =
        IntStream.range(0, KernelCases.PAIRS)
            .mapToObj(i -> "sort 8 ours %d\nsort 8 qsort %d\n".formatted(i, 100 + i))
            .collect(Collectors.joining());
    assertEquals(0, KernelCases.times(printed, "ours")[0]);
    assertEquals(101, KernelCases.times(printed, "qsort")[1]);
    assertThrows(IOException.class, () -> KernelCases.times(printed, "openblas"));
    assertThrows(IOException.class, () -> KernelCases.times(printed + printed, "ours"));
  }

  @Test
  void stepsThatWarmUpDoNotCount() throws IOException {
    String json =
        IntStream.range(0, OverlapCase.WARM_UP + OverlapCase.PAIRS)
            .mapToObj(
                i ->
                    "{\"step\":\"stream-%d\",\"elapsed_ns\":%d},{\"step\":\"compute-%d\",\"compute_ns\": %d}"
                        .formatted(i, i, i, 100 + i))
            .collect(Collectors.joining(","));
    assertEquals(OverlapCase.WARM_UP, OverlapCase.times(json, "stream", "elapsed_ns")[0]);
    assertEquals(100 + OverlapCase.WARM_UP, OverlapCase.times(json, "compute", "compute_ns")[0]);
    assertThrows(IOException.class, () -> OverlapCase.times(json, "stream", "compute_ns"));
    assertThrows(IOException.class, () -> OverlapCase.times(json, "transfer", "elapsed_ns"));
  }
}
