package io.isle.apps.jobs.spec;

import io.isle.apps.jobs.formula.Numbers;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Reads how a step's pieces of work follow each other: {@code for}, {@code period}, {@code depth},
 * {@code piece}, {@code hold} and {@code barrier}.
 */
final class PaceParser {
  /** Less than the queue of a context, so that room is waited for here. */
  static final int MAX_DEPTH = 48;

  static final int MAX_PIECES = 64;
  static final long MAX_PIECE = 256L << 20;

  /** Latencies are kept one by one. */
  static final long MAX_RELEASES = 1_000_000;

  private static final long MAX_FOR_NS = TimeUnit.HOURS.toNanos(24);
  private static final long MIN_PERIOD_NS = TimeUnit.MICROSECONDS.toNanos(100);

  private final Parameters parameters;
  private final Map<String, Located> keys;

  /**
   * @param keys of the step
   */
  PaceParser(Parameters parameters, Map<String, Located> keys) {
    this.parameters = parameters;
    this.keys = keys;
  }

  /**
   * Reads and checks them.
   *
   * @param named whether the step's buffers have names
   */
  JobSpec.Pace pace(boolean named) {
    for (String key : List.of("period", "depth", "piece")) {
      if (named && keys.containsKey(key)) {
        throw keys.get(key).error("is allowed only in a step without named buffers");
      }
    }
    long forNs = duration("for", 1, MAX_FOR_NS);
    if (forNs > 0 && keys.containsKey("repeat")) {
      throw keys.get("for").error("takes the place of 'repeat'; give only one of the two");
    }
    return new JobSpec.Pace(
        forNs,
        period(forNs),
        keys.containsKey("depth") ? (int) parameters.whole(keys.get("depth"), 1, MAX_DEPTH) : 0,
        pieces(),
        parameters.bytes(keys.get("hold"), 0, Long.MAX_VALUE),
        Optional.ofNullable(keys.get("barrier")).map(parameters::name));
  }

  private long duration(String key, long min, long max) {
    Located at = keys.get(key);
    if (at == null) {
      return 0;
    }
    OptionalLong value = Numbers.duration(parameters.text(at));
    if (value.isEmpty() || value.getAsLong() < min || value.getAsLong() > max) {
      throw at.error(
          "must be a time such as 5s, 20ms or 500us, from " + shown(min) + " to " + shown(max));
    }
    return value.getAsLong();
  }

  private static String shown(long ns) {
    return ns % 1_000_000_000 == 0
        ? ns / 1_000_000_000 + "s"
        : ns % 1000 == 0 ? ns / 1000 + "us" : ns + "ns";
  }

  private long period(long forNs) {
    long period = duration("period", MIN_PERIOD_NS, MAX_FOR_NS);
    if (period == 0) {
      return 0;
    }
    Located at = keys.get("period");
    if (keys.containsKey("in")) {
      throw at.error("is allowed only in a step without 'in'");
    }
    if (keys.containsKey("depth")) {
      throw keys.get("depth")
          .error("cannot be used together with 'period': each period has one submission");
    }
    if (forNs == 0) {
      throw at.error("needs 'for', the time during which the step makes submissions");
    }
    if (forNs / period > MAX_RELEASES) {
      throw at.error("makes " + forNs / period + " submissions; the limit is " + MAX_RELEASES);
    }
    return period;
  }

  private List<Long> pieces() {
    Located at = keys.get("piece");
    if (at == null) {
      return List.of();
    }
    if (!keys.containsKey("in")) {
      throw at.error("needs 'in'");
    }
    List<Located> sizes = at.isScalar() ? List.of(at) : at.sequence(MAX_PIECES);
    if (sizes.isEmpty()) {
      throw at.error("needs at least one size");
    }
    return sizes.stream().map(size -> parameters.bytes(size, 1, MAX_PIECE)).toList();
  }
}
