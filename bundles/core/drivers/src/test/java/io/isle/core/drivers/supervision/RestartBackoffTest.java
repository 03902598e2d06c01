package io.isle.core.drivers.supervision;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RestartBackoffTest {
  private static final long MS = 1_000_000;
  private static final long SECOND = 1000 * MS;

  private final RestartBackoff backoff = new RestartBackoff();
  private long now = 5;

  private long ended(String group) {
    return backoff.ended(group, now);
  }

  @Test
  void theFirstIsReplacedAtOnceAndThoseBehindItLaterAndLater() {
    assertEquals(
        List.of(0L, 100 * MS, 200 * MS, 400 * MS, -1L),
        LongStream.range(0, 5).mapToObj(i -> ended("a")).toList());
    assertEquals(0, ended("b"));
  }

  @Test
  void endsThatAreLongAgoDoNotCount() {
    for (int i = 0; i < 20; i++) {
      assertEquals(0, ended("a"));
      now += RestartBackoff.WINDOW.toNanos() + 1;
    }
  }

  @Test
  void aGroupThatWasLetGoGetsNoProcessForAWhileThenForLonger() {
    for (long pause : new long[] {10, 20, 40, 40, 40}) {
      long end = 0;
      while (end >= 0) {
        backoff.check("a", now);
        end = ended("a");
      }
      DriverException refusal = assertThrows(DriverException.class, () -> backoff.check("a", now));
      assertEquals(Errno.EAGAIN, refusal.code());
      assertTrue(refusal.getMessage().contains("group a ended"), refusal.getMessage());
      backoff.check("b", now);
      now += pause * SECOND - 1;
      assertThrows(DriverException.class, () -> backoff.check("a", now));
      now += 1;
      assertDoesNotThrow(() -> backoff.check("a", now));
    }
  }
}
