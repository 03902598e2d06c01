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

class GroupPatienceTest {
  private static final long MS = 1_000_000;
  private static final long SECOND = 1000 * MS;

  private final GroupPatience patience = new GroupPatience();
  private long now = 5;

  private long ended(String group) {
    return patience.ended(group, now);
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
      now += GroupPatience.WINDOW.toNanos() + 1;
    }
  }

  @Test
  void aGroupThatWasLetGoGetsNoProcessForAWhileThenForLonger() {
    for (long pause : new long[] {10, 20, 40, 40, 40}) {
      long end = 0;
      while (end >= 0) {
        patience.check("a", now);
        end = ended("a");
      }
      DriverException refusal = assertThrows(DriverException.class, () -> patience.check("a", now));
      assertEquals(Errno.EAGAIN, refusal.code());
      assertTrue(refusal.getMessage().contains("group a ended"), refusal.getMessage());
      patience.check("b", now);
      now += pause * SECOND - 1;
      assertThrows(DriverException.class, () -> patience.check("a", now));
      now += 1;
      assertDoesNotThrow(() -> patience.check("a", now));
    }
  }
}
