package io.isle.core.accel.estimate;

import io.isle.api.accel.Estimate;
import io.isle.api.inference.Decider;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * What the submissions of one context are thought to take: the answers of a model, if there is one,
 * and what they turned out to be worth. One thread at a time submits, the agent tells of starts and
 * ends; neither of them waits or allocates. A decider may come and go at any time.
 */
public final class ContextEstimates {
  /** Without an answer. */
  public static final long NONE = -1;

  private static final long LOOK_NS = 20_000;

  /** A decider with its number. */
  private record Attached(Decider decider, int number) {}

  private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);

  /** Whether the submitting thread, or the agent, may be using the decider; far from each other. */
  private static final int ASKING = 16;

  private static final int TELLING = 48;

  private final int[] busy = new int[80];
  private final int mask;

  /** Of the submitting thread. */
  private final int[] answer = new int[1];

  private final History history = new History();

  /** Of the agent. */
  private final int[] outcome = new int[1];

  private final EstimateErrors errors = new EstimateErrors();

  /** From the first decider on; agents may see it late, but not later than a point with it. */
  private PointAnswers points;

  private volatile Attached attached;
  private int attachments;
  private boolean closed;

  /**
   * @param depth queue depth of the context, a power of two
   */
  public ContextEstimates(int depth) {
    mask = depth - 1;
  }

  /** Decisions that may be outstanding. */
  int depth() {
    return mask + 1;
  }

  /**
   * The context asks this decider from now on.
   *
   * @return false, and nothing is done, if the context has ended or has one
   */
  synchronized boolean attach(Decider decider) {
    if (closed || attached != null) {
      return false;
    }
    if (points == null) {
      points = new PointAnswers(mask + 1);
    }
    attached = new Attached(decider, ++attachments);
    return true;
  }

  /** The context asks no decider from now on; closes the one that it had, once nobody uses it. */
  void detach(long deadlineNs) {
    Attached before;
    synchronized (this) {
      before = attached;
      attached = null;
    }
    if (before == null) {
      return;
    }
    while (isBusy() && System.nanoTime() - deadlineNs < 0) {
      LockSupport.parkNanos(this, LOOK_NS);
    }
    before.decider.close();
  }

  private boolean isBusy() {
    return (int) INTS.getVolatile(busy, ASKING) + (int) INTS.getVolatile(busy, TELLING) > 0;
  }

  /** The context has ended. */
  void end(long deadlineNs) {
    synchronized (this) {
      closed = true;
    }
    detach(deadlineNs);
  }

  /** Submitting thread: whether a model would be asked. */
  public boolean isWanted() {
    Attached now = attached;
    return now != null && now.decider.wanted();
  }

  /**
   * Submitting thread: asks about a point before it is published.
   *
   * @param features all but those of earlier submissions, which are completed here
   */
  public void ask(long point, int[] features) {
    addHistory(features);
    INTS.setVolatile(busy, ASKING, 1);
    Attached now = attached;
    if (now == null) {
      skip(point);
    } else {
      long ticket = now.decider.decide(features, answer);
      int log = Math.clamp(answer[0], 0, SubmissionFeatures.MOST);
      points.set(slot(point), log, key(features), ticket, now.number);
    }
    INTS.setRelease(busy, ASKING, 0);
  }

  private void addHistory(int[] features) {
    int mean = SubmissionFeatures.time(history.meanNs());
    features[SubmissionFeatures.LAST] = SubmissionFeatures.time(history.lastNs());
    features[SubmissionFeatures.MEAN] = mean;
    features[SubmissionFeatures.SAME] = history.last(key(features), mean);
  }

  /** Submitting thread: nobody was asked about a point that is about to be published. */
  public void skip(long point) {
    if (points != null) {
      points.clear(slot(point));
    }
  }

  /** Agent: the answer about a point that is in flight or waits; {@link #NONE} if there is none. */
  public long answerNs(long point) {
    PointAnswers all = points;
    int log = all == null ? PointAnswers.NONE : all.answer(slot(point));
    return log < 0 ? NONE : Log2.power(log);
  }

  /**
   * Agent: a submission starts.
   *
   * @param chargeNs in advance; negative for the average
   */
  public void started(long chargeNs) {
    errors.charged(chargeNs < 0 ? history.meanNs() : chargeNs);
  }

  /**
   * Agent: a submission has ended well, before its point does.
   *
   * @param answerNs as {@link #answerNs} said
   * @param takenNs what all of its stretches were charged
   */
  public void ended(long point, long answerNs, long takenNs) {
    long average = history.meanNs();
    long taken = Math.max(1, takenNs);
    history.add(taken);
    if (answerNs < 0) {
      errors.ended(average, taken);
      return;
    }
    errors.ended(answerNs, average, taken);
    int slot = slot(point);
    outcome[0] = SubmissionFeatures.time(taken);
    history.add(points.key(slot), outcome[0]);
    INTS.setVolatile(busy, TELLING, 1);
    Attached now = attached;
    if (now != null && points.isOf(slot, now.number)) {
      now.decider.outcome(points.ticket(slot), outcome);
    }
    INTS.setRelease(busy, TELLING, 0);
  }

  /** A snapshot; any thread. */
  public Estimate read() {
    return errors.read(history.meanNs());
  }

  /** The same for the same program and sizes, and hardly ever for others. */
  private static int key(int[] features) {
    int key = features[SubmissionFeatures.PROGRAM];
    key = key * 31 + features[SubmissionFeatures.OPERATIONS];
    key = key * 31 * 31 + features[SubmissionFeatures.BYTES];
    key = key * 31 * 31 + features[SubmissionFeatures.ITEMS];
    key = key * 31 * 31 + features[SubmissionFeatures.SCALARS];
    key = key * 31 * 31 + features[SubmissionFeatures.COPIED];
    // the upper bits choose the place
    return key * 0x9e3779b1;
  }

  private int slot(long point) {
    return (int) (point - 1) & mask;
  }
}
