package io.isle.lib.drive;

import io.isle.api.base.Errno;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Changes of the ring that wait for the sender, which makes each one between two packets. */
final class Changes {
  private final Deque<FutureTask<Void>> waiting = new ArrayDeque<>();
  private boolean over;

  /**
   * Leaves a change to the sender.
   *
   * @throws DriveException ENOENT if the sender has ended
   */
  synchronized FutureTask<Void> add(Runnable change) {
    if (over) {
      throw ended();
    }
    FutureTask<Void> task = new FutureTask<>(change, null);
    waiting.add(task);
    return task;
  }

  private static DriveException ended() {
    return new DriveException(Errno.ENOENT, "all packets have been sent already");
  }

  synchronized boolean isWaiting() {
    return !waiting.isEmpty();
  }

  /** The sender makes the oldest change. */
  void runNext() {
    FutureTask<Void> task;
    synchronized (this) {
      task = waiting.peek();
    }
    task.run();
    synchronized (this) {
      waiting.remove(task);
    }
  }

  /**
   * The sender has ended.
   *
   * @return false if a change waits, which the sender makes before
   */
  synchronized boolean end() {
    over = waiting.isEmpty();
    return over;
  }

  /** The drive has failed or was interrupted: no change is made any more. */
  synchronized void cancel() {
    over = true;
    waiting.forEach(task -> task.cancel(false));
    waiting.clear();
  }

  /** Waits for the end of a change, and throws its failure. */
  static void await(FutureTask<Void> change) throws InterruptedException {
    try {
      Void ignored = change.get();
    } catch (java.util.concurrent.CancellationException e) {
      throw ended();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException known
          ? known
          : new IllegalStateException(e.getCause());
    }
  }
}
