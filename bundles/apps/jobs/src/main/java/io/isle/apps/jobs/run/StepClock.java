package io.isle.apps.jobs.run;

import io.isle.api.accel.Completion;
import io.isle.api.accel.Context;
import io.isle.api.jobs.StepTimes;
import io.isle.apps.jobs.measure.WorkListener;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Where a step's time goes: waiting in queues, transfers between the JVM's memory and the device's,
 * and computing. Told by the stream's thread and by the thread of completions, which may be one
 * that others wait for: it leaves what it tells in a queue, and whoever looks at the clock takes it
 * in. Thread-safe.
 */
final class StepClock {

  private static final long LATE_NS = TimeUnit.MILLISECONDS.toNanos(500);

  private final String stream;
  private final String step;
  private final String device;
  private final String priority;
  private final long jobStartNs;
  private final int maxSpans;
  private final Map<StepTimes.Kind, List<StepTimes.Span>> spans =
      new EnumMap<>(StepTimes.Kind.class);
  private final Map<StepTimes.Kind, Long> sums = new EnumMap<>(StepTimes.Kind.class);

  /** Points that were submitted and not told yet, and when. */
  private final Map<Long, Long> submitted = new HashMap<>();

  /** Completions that were told before their submission was. */
  private final Map<Long, Completion> early = new HashMap<>();

  /** What the thread of completions told, until it is taken in. */
  private final Queue<Told> told = new ConcurrentLinkedQueue<>();

  /** Whose completions count. */
  private Context current;

  /** Waits for what is still to be told. */
  private volatile Thread ending;

  private final List<WorkListener> listeners = new CopyOnWriteArrayList<>();
  private final long startNs = System.nanoTime();
  private long endNs;
  private long pieces;
  private long bytes;
  private long putBackBytes;

  private record Told(Context of, Completion completion) {}

  /**
   * @param maxSpans spans of a kind that are kept; beyond, neighbours become one
   */
  StepClock(
      String stream, String step, String device, String priority, long jobStartNs, int maxSpans) {
    this.stream = stream;
    this.step = step;
    this.device = device;
    this.priority = priority;
    this.jobStartNs = jobStartNs;
    this.maxSpans = maxSpans;
  }

  /** Tells it of the step's work from now on. */
  void listener(WorkListener listener) {
    listeners.add(listener);
  }

  synchronized void transferred(long fromNs, long toNs) {
    add(StepTimes.Kind.TRANSFER, fromNs, toNs);
  }

  /** The step's program was loaded, with a build where one was needed. */
  synchronized void built(long fromNs, long toNs) {
    add(StepTimes.Kind.BUILD, fromNs, toNs);
  }

  /**
   * Work was submitted; a negated code does not count.
   *
   * @param sinceNs before it was: a quick device is done before this is told
   */
  synchronized void submitted(long point, long sinceNs) {
    takeIn();
    if (point <= 0) {
      return;
    }
    Completion known = early.remove(point);
    if (known == null) {
      submitted.put(point, sinceNs);
    } else {
      account(sinceNs, known);
    }
  }

  /** A context's work has completed. Takes no lock and waits for nobody. */
  void completed(Context of, Completion completion) {
    told.add(new Told(of, completion));
    LockSupport.unpark(ending);
  }

  /** Takes in what was told: listeners hear of it. */
  synchronized void look() {
    takeIn();
  }

  private void takeIn() {
    for (Told next = told.poll(); next != null; next = told.poll()) {
      if (next.of() == current) {
        Completion completion = next.completion();
        Long since = submitted.remove(completion.point());
        if (since == null) {
          early.put(completion.point(), completion);
        } else {
          account(since, completion);
        }
      }
    }
  }

  /**
   * Points count anew: the context is another one.
   *
   * @param context null for none
   */
  synchronized void renewed(Context context) {
    takeIn();
    current = context;
    submitted.clear();
    early.clear();
  }

  private void account(long sinceNs, Completion completion) {
    listeners.forEach(listener -> listener.ended(sinceNs, completion));
    if (completion.startNs() <= 0 || completion.endNs() < completion.startNs()) {
      return;
    }
    add(StepTimes.Kind.QUEUE, Math.min(sinceNs, completion.startNs()), completion.startNs());
    add(StepTimes.Kind.COMPUTE, completion.startNs(), completion.endNs());
  }

  private void add(StepTimes.Kind kind, long fromNs, long toNs) {
    sums.merge(kind, toNs - fromNs, Long::sum);
    List<StepTimes.Span> list = spans.computeIfAbsent(kind, k -> new ArrayList<>());
    list.add(new StepTimes.Span(kind, fromNs - jobStartNs, toNs - jobStartNs));
    if (list.size() > maxSpans) {
      List<StepTimes.Span> halved = new ArrayList<>();
      for (int i = 0; i < list.size(); i += 2) {
        StepTimes.Span last = list.get(Math.min(i + 1, list.size() - 1));
        halved.add(new StepTimes.Span(kind, list.get(i).startNs(), last.endNs()));
      }
      spans.put(kind, halved);
    }
  }

  /** A piece is done for good. */
  synchronized void finished(long pieceBytes) {
    pieces++;
    bytes += pieceBytes;
    listeners.forEach(listener -> listener.finished(pieceBytes));
  }

  /** Bytes of inputs were put back that a kernel may have changed. */
  synchronized void putBack(long count) {
    putBackBytes += count;
  }

  /** The step is over; waits a moment for completions that are still to be told. */
  void end() throws InterruptedException {
    long until;
    synchronized (this) {
      endNs = System.nanoTime();
      until = endNs + LATE_NS;
    }
    ending = Thread.currentThread();
    try {
      while (awaitsMore() && System.nanoTime() - until < 0) {
        LockSupport.parkNanos(this, Math.max(1, until - System.nanoTime()));
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
      }
    } finally {
      ending = null;
    }
  }

  private synchronized boolean awaitsMore() {
    takeIn();
    return !submitted.isEmpty();
  }

  /** How it stands. */
  synchronized StepTimes times() {
    takeIn();
    List<StepTimes.Span> all = new ArrayList<>();
    spans.values().forEach(all::addAll);
    return new StepTimes(
        stream,
        step,
        device,
        priority,
        startNs - jobStartNs,
        (endNs == 0 ? System.nanoTime() : endNs) - startNs,
        pieces,
        bytes,
        sums.getOrDefault(StepTimes.Kind.BUILD, 0L),
        sums.getOrDefault(StepTimes.Kind.QUEUE, 0L),
        sums.getOrDefault(StepTimes.Kind.TRANSFER, 0L),
        sums.getOrDefault(StepTimes.Kind.COMPUTE, 0L),
        putBackBytes,
        all);
  }
}
