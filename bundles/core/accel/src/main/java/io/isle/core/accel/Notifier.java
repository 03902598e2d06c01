package io.isle.core.accel;

import io.isle.api.accel.Completion;
import io.isle.api.accel.CompletionListener;
import io.isle.api.base.Errno;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;

/**
 * Tells listeners and futures of a context's completions, each once and in order, on a thread of
 * its own: not a virtual one, which tenants that yield in a loop can keep from running. It may lag
 * behind the device by the completion log less one queue depth; then new submissions get EAGAIN, so
 * that none is missed. Allocates.
 */
final class Notifier implements Runnable {
  private final ExecutionContext context;
  private final ContextQueue queue;
  private final Map<Long, CompletableFuture<Completion>> expected = new ConcurrentHashMap<>();
  private final Thread thread;
  private volatile Listening listening;
  private volatile long notified;
  private volatile boolean stopping;

  private record Listening(CompletionListener listener, Executor executor, long after) {}

  Notifier(ExecutionContext context, ContextQueue queue) {
    this.context = context;
    this.queue = queue;
    this.notified = queue.timeline.recorded();
    this.thread = Thread.ofPlatform().daemon().name("isle-notifier").start(this);
  }

  void listen(CompletionListener listener, Executor executor) {
    listening =
        listener == null ? null : new Listening(listener, executor, queue.timeline.recorded());
  }

  void expect(long point, CompletableFuture<Completion> future) {
    expected.put(point, future);
  }

  void forget(long point) {
    expected.remove(point);
  }

  boolean hasRoom(long point) {
    return point - notified <= queue.log.capacity() - queue.depth();
  }

  void wake() {
    LockSupport.unpark(thread);
  }

  /** The context ended while {@code point} was submitted: nobody may be left to tell. */
  void tellLate(long point) {
    Thread.startVirtualThread(
        () -> {
          int status = context.await(point, -1);
          CompletableFuture<Completion> future = expected.remove(point);
          if (future != null) {
            boolean ignored = future.complete(new Completion(point, status, 0, 0, 0, 0));
          }
        });
  }

  /** After the context was sealed: tells what is left, then ends. */
  void stop() {
    stopping = true;
    wake();
  }

  @Override
  public void run() {
    while (true) {
      boolean last = stopping;
      long point = notified + 1;
      int status = point > queue.timeline.submitted() ? -Errno.EINPROGRESS : context.status(point);
      if (status != -Errno.EINPROGRESS) {
        tell(completion(point, status));
        notified = point;
      } else if (last) {
        return;
      } else {
        LockSupport.park(this);
      }
    }
  }

  private Completion completion(long point, int status) {
    if (point > queue.timeline.recorded()) {
      return new Completion(point, status, 0, 0, 0, 0);
    }
    CompletionLog log = queue.log;
    return new Completion(
        point, status, log.startNs(point), log.endNs(point), log.busyNs(point), log.detail(point));
  }

  private void tell(Completion completion) {
    CompletableFuture<Completion> future = expected.remove(completion.point());
    if (future != null) {
      // What depends on it runs elsewhere, so that it cannot hold up the next completion.
      boolean ignored = future.completeAsync(() -> completion, Thread::startVirtualThread).isDone();
    }
    Listening now = listening;
    if (now != null && completion.point() > now.after()) {
      try {
        now.executor().execute(() -> now.listener().completed(context, completion));
      } catch (RuntimeException e) {
        System.getLogger(Notifier.class.getName())
            .log(System.Logger.Level.WARNING, "a listener's executor refused a completion", e);
      }
    }
  }
}
