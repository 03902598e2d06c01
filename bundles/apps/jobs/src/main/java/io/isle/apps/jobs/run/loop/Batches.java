package io.isle.apps.jobs.run.loop;

import java.util.concurrent.TimeUnit;

/**
 * How many dispatches go in the next submission: what takes 2 ms by the times measured so far, and
 * fits into an envelope. A dispatch of an inner step that was never measured goes alone. Used by
 * one thread.
 */
public final class Batches {
  /** Most time of a batch that has more than one dispatch. */
  static final long MOST_NS = TimeUnit.MILLISECONDS.toNanos(2);

  /** Less time than any device needs for a dispatch. */
  private static final double LEAST_NS = 100;

  /** Weight of the newest measurement. */
  private static final double NEWEST = 0.5;

  private final long[] bytes;
  private final long room;

  /** Expected time of a dispatch of each step; 0 for one that was not measured. */
  private final double[] ns;

  /** Measurements of each step, up to two. */
  private final int[] samples;

  private int[] counts;
  private long usedBytes;
  private double plannedNs;
  private int size;
  private boolean alone;

  /**
   * The dispatches of one submission.
   *
   * @param counts dispatches of each step
   * @param size all of them
   */
  public record Batch(Counts counts, int size) {}

  /** Numbers of dispatches by step. Immutable. */
  public static final class Counts {
    private final int[] each;

    private Counts(int[] each) {
      this.each = each;
    }
  }

  /**
   * For a loop.
   *
   * @param bytes longest operation of each inner step
   * @param room bytes of an envelope for operations; at least the longest one
   */
  public Batches(long[] bytes, long room) {
    for (long each : bytes) {
      if (each > room) {
        throw new IllegalArgumentException("an operation of " + each + " bytes; room: " + room);
      }
    }
    this.bytes = bytes.clone();
    this.room = room;
    ns = new double[bytes.length];
    samples = new int[bytes.length];
    begin();
  }

  private void begin() {
    counts = new int[bytes.length];
    usedBytes = 0;
    plannedNs = 0;
    size = 0;
    alone = false;
  }

  /** Whether a dispatch of {@code step} may go in the batch that was begun. */
  public boolean takes(int step) {
    if (size == 0) {
      return true;
    }
    return !alone
        && ns[step] > 0
        && usedBytes + bytes[step] <= room
        && plannedNs + ns[step] <= MOST_NS;
  }

  /** Adds a dispatch that {@link #takes} allows. */
  public void add(int step) {
    counts[step]++;
    size++;
    usedBytes += bytes[step];
    plannedNs += ns[step];
    alone = ns[step] == 0;
  }

  /** Dispatches of the batch that was begun. */
  public int size() {
    return size;
  }

  /** Ends the batch; the next one is empty. */
  public Batch close() {
    Batch batch = new Batch(new Counts(counts), size);
    begin();
    return batch;
  }

  /** A batch took so long on the device. */
  public void measured(Batch batch, long tookNs) {
    int[] each = batch.counts().each;
    double expected = 0;
    for (int step = 0; step < each.length; step++) {
      expected += each[step] * ns[step];
    }
    double took = Math.max(tookNs, LEAST_NS * batch.size());
    for (int step = 0; step < each.length; step++) {
      if (each[step] > 0) {
        learn(step, expected == 0 ? took / batch.size() : ns[step] * took / expected);
      }
    }
  }

  /** What is done first on a device takes longer: the second measurement counts alone. */
  private void learn(int step, double measured) {
    double weight = samples[step] < 2 ? 1 : NEWEST;
    samples[step] = Math.min(2, samples[step] + 1);
    ns[step] = Math.max(LEAST_NS, ns[step] + weight * (measured - ns[step]));
  }
}
