package io.isle.apps.jobs.run;

import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Completion;
import io.isle.api.base.Errno;
import io.isle.apps.jobs.measure.WorkListener;
import io.isle.apps.jobs.run.loop.Batches;
import io.isle.apps.jobs.run.loop.Cursor;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** The batches of a loop that are on their way. Used by the stream's thread. */
final class LoopQueue {
  /** One is computed while the next one waits. */
  private static final int MOST = 2;

  private final StreamContext stream;
  private final StepClock clock;
  private final Batches batches;
  private final Deque<Sent> sent = new ArrayDeque<>();

  /** Batches whose times are still to be told. */
  private final Map<Long, Batches.Batch> unmeasured = new HashMap<>();

  private final Queue<Completion> told = new ConcurrentLinkedQueue<>();

  /**
   * A submission.
   *
   * @param epoch of the device before it was made
   * @param batch null for one that computes nothing
   * @param runs dispatches of the loop up to its end
   * @param turn turns of the loop that are over at its end
   */
  record Sent(long point, int epoch, Batches.Batch batch, long runs, long turn) {}

  LoopQueue(StepRun run, Batches batches) {
    this.stream = run.stream();
    this.clock = run.clock();
    this.batches = batches;
    run.clock()
        .listener(
            new WorkListener() {
              @Override
              public void ended(long sinceNs, Completion completion) {
                told.add(completion);
              }
            });
  }

  /** Nothing is on its way: the points of its context may count anew. */
  void begin() {
    learn();
    sent.clear();
    unmeasured.clear();
  }

  boolean isEmpty() {
    return sent.isEmpty();
  }

  boolean hasRoom() {
    return sent.size() < MOST;
  }

  /**
   * Submits work that computes nothing.
   *
   * @return 0, or a negated code
   */
  int submit(Consumer<CommandWriter> writing) throws InterruptedException {
    int before = stream.epoch();
    long point = stream.submit(writing);
    return point < 0 ? (int) point : sent(new Sent(point, before, null, 0, 0));
  }

  /**
   * Submits the batch that {@code writing} makes of the loop.
   *
   * @return 0, or a negated code
   */
  int submit(Consumer<CommandWriter> writing, Cursor end) throws InterruptedException {
    int before = stream.epoch();
    long point = stream.submit(writing);
    if (point < 0) {
      return (int) point;
    }
    Batches.Batch batch = batches.close();
    unmeasured.put(point, batch);
    return sent(new Sent(point, before, batch, end.runs(), end.turn()));
  }

  private int sent(Sent next) {
    sent.add(next);
    return 0;
  }

  /** The oldest one. */
  Sent oldest() {
    return sent.element();
  }

  /** Waits for the end of the oldest one; returns its status. */
  int takeOldest() throws InterruptedException {
    int status = stream.context().await(sent.remove().point(), -1);
    if (status == -Errno.ECANCELED) {
      throw new InterruptedException("cancelled");
    }
    learn();
    return status;
  }

  /** Waits until nothing is on its way, however it ends. */
  void drain() throws InterruptedException {
    while (!sent.isEmpty()) {
      int ignored = takeOldest();
    }
  }

  private void learn() {
    clock.look();
    for (Completion next = told.poll(); next != null; next = told.poll()) {
      Batches.Batch batch = unmeasured.remove(next.point());
      if (batch != null && next.status() == 0 && next.startNs() > 0) {
        batches.measured(batch, next.endNs() - next.startNs());
      }
    }
  }
}
