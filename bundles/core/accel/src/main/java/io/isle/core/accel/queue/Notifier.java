package io.isle.core.accel.queue;

import io.isle.api.accel.Completion;
import io.isle.api.accel.CompletionListener;
import io.isle.api.accel.CompletionStatus;
import io.isle.api.accel.Context;
import io.isle.api.base.Errno;
import io.isle.api.base.MonotonicClock;
import io.isle.api.device.Priority;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Tells listeners and futures of a context's completions, each once and in order, on a thread that
 * several may share. It may lag behind the device by the completion log less one queue depth; then
 * new submissions get EAGAIN, so that none is missed. Allocates.
 */
public final class Notifier {
  private static final System.Logger LOG = System.getLogger(Notifier.class.getName());

  private final Context context;
  private final QueueRecord record;
  private final ContextQueue queue;
  private final LongSupplier warnMs;
  private final MonotonicClock clock;
  private final boolean realtime;
  private final Map<Long, CompletableFuture<Completion>> expected = new ConcurrentHashMap<>();
  private volatile WokenThread thread;
  private volatile Listening listening;
  private volatile long notified;
  private volatile boolean stopping;

  /** Whether its thread has left it: what is submitted now is told of by {@link #tellLate}. */
  private volatile boolean over;

  /** Completion thread: whether it was said that listeners hold it up. */
  private boolean warned;

  private record Listening(CompletionListener listener, Executor executor, long after) {}

  /** One call of a listener, on its executor. */
  private record Delivery(Notifier from, CompletionListener listener, Completion completion)
      implements Runnable {
    @Override
    public void run() {
      try {
        listener.completed(from.context, completion);
      } catch (Throwable e) {
        LOG.log(
            System.Logger.Level.WARNING,
            from.who() + ": its listener " + listener.getClass().getName() + " failed",
            e);
      }
    }
  }

  /**
   * @param warnMs longest time that a listener may hold up completions before that is logged, 0 for
   *     any; read at each
   */
  Notifier(Context context, QueueRecord record, LongSupplier warnMs, MonotonicClock clock) {
    this.context = context;
    this.record = record;
    this.queue = record.queue();
    this.warnMs = warnMs;
    this.clock = clock;
    this.realtime = record.priority() == Priority.REALTIME;
    this.notified = queue.timeline.recorded();
  }

  /** Before {@link #tell}, and when another takes over: who calls that when woken. */
  void on(WokenThread telling) {
    thread = telling;
  }

  public void listen(CompletionListener listener, Executor executor) {
    listening =
        listener == null ? null : new Listening(listener, executor, queue.timeline.recorded());
  }

  public void expect(long point, CompletableFuture<Completion> future) {
    expected.put(point, future);
  }

  public void forget(long point) {
    expected.remove(point);
  }

  public boolean hasRoom(long point) {
    return point - notified <= queue.log.capacity() - queue.depth();
  }

  public void wake() {
    thread.wake();
  }

  /** Its thread does not come back from it. */
  void warnStuck() {
    LOG.log(
        System.Logger.Level.WARNING,
        who()
            + ": the completion listener does not return; the other listeners of its thread"
            + " continue on a new thread");
  }

  /** Something was submitted after the context was sealed: nobody may be left to tell of it. */
  public void tellLate() {
    wake();
    if (over) {
      var ignored = Thread.startVirtualThread(this::tellRest);
    }
  }

  /** Once sealed, every point has its status; one is told at a time. */
  private synchronized void tellRest() {
    while (notified < queue.timeline.submitted()) {
      long point = notified + 1;
      try {
        tell(completion(point, context.status(point)));
      } finally {
        notified = point;
      }
    }
  }

  /** After the context was sealed: tells what is left, then is over. */
  public void stop() {
    stopping = true;
    wake();
  }

  /** What became of a call of {@link #tell}. */
  enum Told {
    /** There was nothing to tell. */
    NOTHING,
    SOME,
    /** There was nothing to tell, and nothing will come any more. */
    OVER
  }

  /**
   * Completion thread: tells what has ended.
   *
   * @param most how many at a time
   */
  Told tell(int most) {
    boolean last = stopping;
    // one that is slow is slow for the others of its thread: they have their turns in between
    for (int i = 0; i == 0 || i < most && !warned; i++) {
      long point = notified + 1;
      int status = point > queue.timeline.submitted() ? -Errno.EINPROGRESS : context.status(point);
      if (status == -Errno.EINPROGRESS) {
        return i > 0 ? Told.SOME : last ? leave() : Told.NOTHING;
      }
      try {
        tell(completion(point, status));
      } finally {
        notified = point;
      }
    }
    return Told.SOME;
  }

  /** From here on whoever submits sees that this is over, or was seen here. */
  private Told leave() {
    over = true;
    VarHandle.fullFence();
    tellRest();
    return Told.OVER;
  }

  /** Completion thread: whether listeners held it up for longer than they may. */
  boolean isSlow() {
    return warned;
  }

  private Completion completion(long point, int status) {
    if (point > queue.timeline.recorded()) {
      return unrecorded(point, status);
    }
    CompletionLog log = queue.log;
    return new Completion(
        point,
        status,
        log.outcome(point),
        log.startNs(point),
        log.endNs(point),
        log.busyNs(point),
        log.detail(point));
  }

  private static Completion unrecorded(long point, int status) {
    CompletionStatus outcome = CompletionCodes.outcome(status);
    return new Completion(point, status, outcome, 0, 0, 0, 0);
  }

  private void tell(Completion completion) {
    long begun = clock.nanoTime();
    CompletableFuture<Completion> future = expected.remove(completion.point());
    if (future != null) {
      complete(future, completion);
    }
    Listening now = listening;
    if (now != null && completion.point() > now.after()) {
      try {
        now.executor().execute(new Delivery(this, now.listener(), completion));
      } catch (Throwable e) {
        LOG.log(
            System.Logger.Level.WARNING,
            who() + ": its listener's executor refused a completion",
            e);
      }
    }
    warn(clock.nanoTime() - begun, now);
    // a listener that ran here must not keep this thread from sleeping
    boolean ignored = Thread.interrupted();
  }

  private void complete(CompletableFuture<Completion> future, Completion completion) {
    if (realtime) {
      boolean ignored = future.complete(completion);
    } else {
      // What depends on it runs elsewhere, so that it cannot hold up the next completion.
      try {
        Thread ignored = Thread.startVirtualThread(() -> future.complete(completion));
      } catch (RuntimeException | Error e) {
        // no thread is to be had: nobody shall wait for ever for that
        boolean ignored = future.complete(completion);
      }
    }
  }

  private void warn(long tookNs, Listening heard) {
    long most = warnMs.getAsLong();
    if (warned || most == 0 || tookNs <= TimeUnit.MILLISECONDS.toNanos(most)) {
      return;
    }
    warned = true;
    LOG.log(
        System.Logger.Level.WARNING,
        "{0}: {1} held up {2} for {3} ms; pass listen an executor with separate threads, or call"
            + " Context.defer in the listener, or make dependents of a future asynchronous",
        who(),
        heard == null ? "a future" : "the listener " + heard.listener().getClass().getName(),
        realtime ? "the device's realtime completions" : "the context's completions",
        Long.toString(TimeUnit.NANOSECONDS.toMillis(tookNs)));
  }

  private String who() {
    return record.who();
  }
}
