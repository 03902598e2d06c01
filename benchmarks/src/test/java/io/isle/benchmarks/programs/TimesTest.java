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
        IntStream.range(0, 3)
            .mapToObj(i -> "sort 8 ours %d\nsort 8 qsort %d\n".formatted(i, 100 + i))
            .collect(Collectors.joining());
    assertEquals(0, Kernels.times(printed, "ours", 3)[0]);
    assertEquals(101, Kernels.times(printed, "qsort", 3)[1]);
    assertThrows(IOException.class, () -> Kernels.times(printed, "openblas", 3));
    assertThrows(IOException.class, () -> Kernels.times(printed + printed, "ours", 3));
  }

  @Test
  void stepsThatWarmUpDoNotCount() throws IOException {
    String json =
        IntStream.range(0, 2 + 15)
            .mapToObj(
                i ->
                    "{\"step\":\"stream-%d\",\"elapsed_ns\":%d},{\"step\":\"compute-%d\",\"compute_ns\": %d}"
                        .formatted(i, i, i, 100 + i))
            .collect(Collectors.joining(","));
    assertEquals(2, OverlapCase.times(json, "stream", "elapsed_ns", 2, 15)[0]);
    assertEquals(100 + 2, OverlapCase.times(json, "compute", "compute_ns", 2, 15)[0]);
    assertThrows(IOException.class, () -> OverlapCase.times(json, "stream", "compute_ns", 2, 15));
    assertThrows(IOException.class, () -> OverlapCase.times(json, "transfer", "elapsed_ns", 2, 15));
  }
}
