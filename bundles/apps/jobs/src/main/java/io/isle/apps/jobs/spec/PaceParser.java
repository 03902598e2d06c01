package io.isle.apps.jobs.spec;

import io.isle.api.base.ByteSize;
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
        throw keys.get(key).error("is for a step without named buffers");
      }
    }
    long forNs = duration("for", 1, MAX_FOR_NS);
    if (forNs > 0 && keys.containsKey("repeat")) {
      throw keys.get("for").error("takes the place of 'repeat'; give one of them");
    }
    return new JobSpec.Pace(
        forNs, period(forNs), depth(), pieces(), hold(), Optional.ofNullable(barrier()));
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
      throw at.error("is for a program without 'in'");
    }
    if (keys.containsKey("depth")) {
      throw keys.get("depth").error("does not go with 'period': a submission is made in each one");
    }
    if (forNs == 0) {
      throw at.error("needs 'for': how long submissions are made");
    }
    if (forNs / period > MAX_RELEASES) {
      throw at.error("makes " + forNs / period + " submissions; at most " + MAX_RELEASES);
    }
    return period;
  }

  private int depth() {
    Located at = keys.get("depth");
    if (at == null) {
      return 0;
    }
    long value = Numbers.whole(parameters.text(at)).orElse(0);
    if (value < 1 || value > MAX_DEPTH) {
      throw at.error("must be a whole number from 1 to " + MAX_DEPTH);
    }
    return (int) value;
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
    return sizes.stream().map(this::size).toList();
  }

  private long size(Located at) {
    long value = Numbers.size(parameters.text(at)).orElse(0);
    if (value < 1 || value > MAX_PIECE) {
      throw at.error(
          "must be a number of bytes from 1 to " + MAX_PIECE + " (" + ByteSize.SUFFIXES + ")");
    }
    return value;
  }

  private long hold() {
    Located at = keys.get("hold");
    if (at == null) {
      return 0;
    }
    long value = Numbers.size(parameters.text(at)).orElse(-1);
    if (value < 0) {
      throw at.error("must be a number of bytes, 0 or more (" + ByteSize.SUFFIXES + ")");
    }
    return value;
  }

  private String barrier() {
    Located at = keys.get("barrier");
    if (at == null) {
      return null;
    }
    String name = parameters.text(at);
    if (!name.matches(JobParser.NAME)) {
      throw at.error("a name is 1 to 64 letters, digits, '.', '_' or '-'");
    }
    return name;
  }
}
