package io.isle.lib.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RestartDelaysTest {
  private final RestartDelays delays =
      new RestartDelays(Duration.ofMillis(100), Duration.ofSeconds(10));

  @Test
  void theFirstEndIsWithoutAWaitAndLaterOnesDouble() {
    List<Long> waits = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      waits.add(delays.ended(Duration.ofSeconds(1)).toMillis());
    }
    assertEquals(List.of(0L, 100L, 200L, 400L, 800L, 1600L, 3200L, 6400L, 10_000L, 10_000L), waits);
    assertEquals(10, delays.ends());
  }

  @Test
  void aLongLifeForgetsEarlierEnds() {
    for (int i = 0; i < 100; i++) {
      assertTrue(delays.ended(Duration.ZERO).compareTo(Duration.ofSeconds(10)) <= 0);
    }
    assertEquals(Duration.ZERO, delays.ended(RestartDelays.LONG_LIFE));
    assertEquals(1, delays.ends());
    assertEquals(Duration.ofMillis(100), delays.ended(RestartDelays.LONG_LIFE.minusNanos(1)));
  }
}
