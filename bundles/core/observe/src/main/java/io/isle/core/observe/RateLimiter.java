package io.isle.core.observe;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * A token bucket for each actor: {@code burst} events at once, {@code perSecond} in the long run.
 * What is beyond is counted, and the count handed out once when its window ends. Time comes in with
 * each call. Thread-safe; a call takes constant time but for {@link #ended}.
 */
final class RateLimiter {
  /** Actors with a bucket of their own; all others share one. */
  static final int MAX_ACTORS = 1024;

  /** How long suppressed events of an actor are summed up. */
  static final long WINDOW_NS = 10_000_000_000L;

  static final String OTHERS = "tenant:*";

  private static final long SECOND_NS = 1_000_000_000L;

  private final Map<String, Bucket> buckets = new HashMap<>();
  private int perSecond;
  private int burst;

  RateLimiter(AuditLimits limits) {
    set(limits);
  }

  /** Events that were not written down. */
  record Suppressed(String actor, long count) {}

  private static final class Bucket {
    /** In billionths of an event: no rounding is lost at any rate. */
    private long credit;

    private long refilledNs;
    private long suppressed;
    private long windowEndNs;
  }

  /** Takes new limits; what was saved up beyond the new burst is gone. */
  synchronized void set(AuditLimits limits) {
    perSecond = limits.perSecond();
    burst = limits.burst();
  }

  /** Whether an event of {@code actor} may be written down now. */
  synchronized boolean admit(String actor, long nowNs) {
    Bucket bucket = bucket(actor, nowNs);
    refill(bucket, nowNs);
    if (bucket.credit >= SECOND_NS) {
      bucket.credit -= SECOND_NS;
      return true;
    }
    if (bucket.suppressed++ == 0) {
      bucket.windowEndNs = nowNs + WINDOW_NS;
    }
    return false;
  }

  /** Takes the counts of windows that have ended, and forgets actors that were quiet. */
  synchronized List<Suppressed> ended(long nowNs) {
    return take(nowNs, false);
  }

  /** Takes all counts. */
  synchronized List<Suppressed> all(long nowNs) {
    return take(nowNs, true);
  }

  /** Actors that have a bucket. */
  synchronized int actors() {
    return buckets.size();
  }

  private List<Suppressed> take(long nowNs, boolean all) {
    List<Suppressed> taken = new ArrayList<>();
    Iterator<Map.Entry<String, Bucket>> entries = buckets.entrySet().iterator();
    while (entries.hasNext()) {
      Map.Entry<String, Bucket> entry = entries.next();
      Bucket bucket = entry.getValue();
      if (bucket.suppressed > 0 && (all || nowNs - bucket.windowEndNs >= 0)) {
        taken.add(new Suppressed(entry.getKey(), bucket.suppressed));
        bucket.suppressed = 0;
      }
      refill(bucket, nowNs);
      if (bucket.suppressed == 0 && bucket.credit == full()) {
        entries.remove();
      }
    }
    return taken;
  }

  private Bucket bucket(String actor, long nowNs) {
    Bucket known = buckets.get(actor);
    if (known != null) {
      return known;
    }
    String name = buckets.size() < MAX_ACTORS ? actor : OTHERS;
    return buckets.computeIfAbsent(
        name,
        key -> {
          Bucket made = new Bucket();
          made.credit = full();
          made.refilledNs = nowNs;
          return made;
        });
  }

  private void refill(Bucket bucket, long nowNs) {
    long passed = Math.max(0, nowNs - bucket.refilledNs);
    bucket.refilledNs += passed;
    long missing = full() - bucket.credit;
    bucket.credit += passed > missing / perSecond ? missing : passed * perSecond;
  }

  private long full() {
    return burst * SECOND_NS;
  }
}
