package io.isle.lib.tango;

import java.util.List;

/**
 * Flow control of a producer: how many fragments may be published without overwriting one that a
 * reliable consumer still has use for. The producer looks at the consumers only when its credits
 * are few (below {@code refill}), and from then on until they are many again ({@code resume}), so
 * that their progress is not fetched for each fragment.
 *
 * <p>Progress of consumers is not trusted: a number beyond the producer's is that of a consumer
 * that has used up all, and can give no more credits than the limit. One thread at a time. Methods
 * of the data path allocate and throw nothing.
 */
public final class Fctl {
  /** Most consumers. */
  public static final int MOST_CONSUMERS = 65_535;

  private final Fseq[] consumers;
  private final long[] lags;
  private final long[] slows;
  private final long burst;
  private final long max;
  private final long resume;
  private final long refill;
  private long available;
  private boolean refilling;
  private int slowest = -1;

  /**
   * A reliable consumer.
   *
   * @param lag most fragments it may be behind, 1 or more: the depth of the mcache at most
   */
  public record Consumer(Fseq progress, long lag) {}

  /**
   * Limits, in fragments.
   *
   * @param burst credits that the producer needs to go on, from 1 to the least lag
   * @param max most credits, {@code burst} or more; 0 for the largest lag
   * @param resume credits at which the producer stops looking, {@code burst} to {@code max}; 0 for
   *     two thirds of the way from one to the other
   * @param refill credits below which the producer looks, {@code burst} to {@code resume}; 0 for
   *     half of the way
   */
  public record Limits(long burst, long max, long resume, long refill) {
    /** A producer that publishes one fragment at a time. */
    public static final Limits USUAL = new Limits(1, 0, 0, 0);
  }

  /**
   * Starts with the credits that the consumers give at {@code seq}.
   *
   * @param seq number of the next fragment
   * @throws IllegalArgumentException naming the limit
   */
  public Fctl(List<Consumer> consumers, Limits limits, long seq) {
    require("number of consumers", consumers.size(), 0, MOST_CONSUMERS);
    long least = Long.MAX_VALUE;
    long largest = 0;
    for (Consumer consumer : consumers) {
      require("lag of a consumer", consumer.lag(), 1, Long.MAX_VALUE);
      least = Math.min(least, consumer.lag());
      largest = Math.max(largest, consumer.lag());
    }
    this.consumers = consumers.stream().map(Consumer::progress).toArray(Fseq[]::new);
    this.lags = consumers.stream().mapToLong(Consumer::lag).toArray();
    this.slows = new long[lags.length];
    burst = require("burst", limits.burst(), 1, least);
    max =
        require(
            "max",
            limits.max() == 0 ? largest == 0 ? least : largest : limits.max(),
            burst,
            Long.MAX_VALUE);
    resume =
        require(
            "resume",
            limits.resume() == 0 ? burst + twoThirds(max - burst) : limits.resume(),
            burst,
            max);
    refill =
        require(
            "refill",
            limits.refill() == 0 ? burst + (resume - burst) / 2 : limits.refill(),
            burst,
            resume);
    available = query(seq);
  }

  /** Rounded down; the double of the number may be beyond a long. */
  private static long twoThirds(long number) {
    return 2 * (number / 3) + 2 * (number % 3) / 3;
  }

  private static long require(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          name + " " + value + " of flow control is not in " + least + ".." + most);
    }
    return value;
  }

  /**
   * Credits that the consumers give now; also remembers which of them gives fewest.
   *
   * @param seq number of the next fragment
   * @return 0 to {@link #max}
   */
  public long query(long seq) {
    long credits = max;
    int slow = -1;
    for (int i = 0; i < consumers.length; i++) {
      long behind = Math.max(seq - consumers[i].seq(), 0);
      long given = Math.max(lags[i] - behind, 0);
      if (given < credits) {
        credits = given;
        slow = i;
      }
    }
    slowest = slow;
    return credits;
  }

  /**
   * Looks at the consumers if the credits are few; to be called now and then, and before a burst.
   *
   * @param seq number of the next fragment
   * @return credits
   */
  public long update(long seq) {
    if (available >= refill && !refilling) {
      return available;
    }
    long credits = query(seq);
    if (credits >= resume) {
      refilling = false;
      available = credits;
    } else if (!refilling) {
      refilling = true;
      slows[slowest]++;
    }
    return available;
  }

  /** Credits that are left. */
  public long available() {
    return available;
  }

  /**
   * Takes credits for fragments.
   *
   * @param count at most {@link #available}
   */
  public void spend(long count) {
    available -= count;
  }

  /** Index of the consumer that gave fewest credits at the last look; -1 if none gave fewer. */
  public int slowest() {
    return slowest;
  }

  /** How often a consumer made the producer look again, because it was slow. */
  public long slow(int consumer) {
    return slows[consumer];
  }

  /** Credits that the producer needs to go on. */
  public long burst() {
    return burst;
  }

  /** Most credits. */
  public long max() {
    return max;
  }

  /** Credits at which the producer stops looking. */
  public long resume() {
    return resume;
  }

  /** Credits below which the producer looks. */
  public long refill() {
    return refill;
  }
}
