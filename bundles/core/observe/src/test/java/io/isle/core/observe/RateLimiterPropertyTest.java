package io.isle.core.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.core.observe.RateLimiter.Suppressed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class RateLimiterPropertyTest {
  private static final long MS = 1_000_000;

  private static AuditLimits rate(int perSecond) {
    return new AuditLimits(Duration.ofDays(1), 4096, 1 << 20, perSecond);
  }

  /** What an actor was given, and what it tried. */
  private static final class Given {
    final List<Long> times = new ArrayList<>();
    long tried;
    long suppressed;
  }

  @Property(tries = 500)
  void noWindowHoldsMoreThanBurstAndRateAndEveryEventIsAccountedForOnce(
      @ForAll @IntRange(min = 1, max = 50) int perSecond,
      @ForAll @Size(max = 400) List<@IntRange(min = 0, max = 4_000) Integer> script) {
    RateLimiter limiter = new RateLimiter(rate(perSecond));
    Map<String, Given> actors = new HashMap<>();
    long now = Long.MAX_VALUE - 100_000 * MS;
    for (int step : script) {
      String actor = "tenant:" + step % 3;
      now += step / 16 * MS;
      Given given = actors.computeIfAbsent(actor, name -> new Given());
      given.tried++;
      if (limiter.admit(actor, now)) {
        given.times.add(now);
      }
      count(actors, limiter.ended(now));
    }
    count(actors, limiter.all(now));
    int burst = rate(perSecond).burst();
    for (Given given : actors.values()) {
      assertEquals(given.tried, given.times.size() + given.suppressed);
      for (int from = 0; from < given.times.size(); from++) {
        for (int to = from; to < given.times.size(); to++) {
          double seconds = (given.times.get(to) - given.times.get(from)) / 1e9;
          assertTrue(to - from + 1 <= burst + seconds * perSecond + 1e-6);
        }
      }
    }
  }

  @Property(tries = 200)
  void whoKeepsToTheRateIsNeverSuppressed(
      @ForAll @IntRange(min = 1, max = 50) int perSecond,
      @ForAll @IntRange(min = 1, max = 500) int events) {
    RateLimiter limiter = new RateLimiter(rate(perSecond));
    for (int i = 0; i < events; i++) {
      // One actor floods beside it all the time.
      limiter.admit("tenant:flood", i);
      assertTrue(limiter.admit("tenant:calm", i * 1_000_000_000L / perSecond));
    }
  }

  @Example
  void aWindowEndsOnceAndTheNextOneBeginsWithTheNextSuppression() {
    RateLimiter limiter = new RateLimiter(rate(1));
    for (int i = 0; i < 7; i++) {
      limiter.admit("tenant:a", 0);
    }
    assertEquals(List.of(), limiter.ended(RateLimiter.WINDOW_NS - 1));
    assertEquals(List.of(new Suppressed("tenant:a", 3)), limiter.ended(RateLimiter.WINDOW_NS));
    assertEquals(List.of(), limiter.ended(RateLimiter.WINDOW_NS * 2));
  }

  @Example
  void inventedActorsShareABucketAndAreForgotten() {
    RateLimiter limiter = new RateLimiter(rate(1));
    long admitted = 0;
    for (int i = 0; i < 10 * RateLimiter.MAX_ACTORS; i++) {
      admitted += limiter.admit("tenant:" + i, 0) ? 1 : 0;
    }
    assertEquals(RateLimiter.MAX_ACTORS + rate(1).burst(), admitted);
    assertEquals(RateLimiter.MAX_ACTORS + 1, limiter.actors());
    List<Suppressed> ended = limiter.ended(RateLimiter.WINDOW_NS);
    assertEquals(1, ended.size());
    assertEquals(RateLimiter.OTHERS, ended.getFirst().actor());
    assertEquals(0, limiter.actors());
  }

  private static void count(Map<String, Given> actors, List<Suppressed> ended) {
    ended.forEach(one -> actors.get(one.actor()).suppressed += one.count());
  }
}
