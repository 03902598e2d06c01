package io.isle.apps.jobs.run;

import io.isle.api.jobs.JobObserver;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Hands calls of a job's streams to the thread that runs the job, so that the observer is called by
 * one thread only: a shell's output streams belong to the thread of its command. Each stream waits
 * for its call, so at most one call a stream is queued.
 */
final class CallerThread implements JobObserver {
  private final JobObserver observer;
  private final BlockingQueue<Runnable> calls = new LinkedBlockingQueue<>();

  CallerThread(JobObserver observer) {
    this.observer = observer;
  }

  /** Runs the next call; waits for one. By the thread that runs the job. */
  void runNext() throws InterruptedException {
    calls.take().run();
  }

  /** Queues {@code call} without waiting for it. */
  void post(Runnable call) {
    calls.add(call);
  }

  @Override
  public void progress(long done, long total) {
    call(() -> observer.progress(done, total));
  }

  @Override
  public void turn(String step, long done, long total) {
    call(() -> observer.turn(step, done, total));
  }

  @Override
  public void recovering(String device) {
    call(() -> observer.recovering(device));
  }

  @Override
  public void print(byte[] text, int length) {
    call(() -> observer.print(text, length));
  }

  private void call(Runnable runnable) {
    FutureTask<Void> task = new FutureTask<>(runnable, null);
    calls.add(task);
    try {
      task.get();
    } catch (InterruptedException e) {
      // The job ends: what is not printed by now is not wanted any more.
      task.cancel(false);
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }
}
