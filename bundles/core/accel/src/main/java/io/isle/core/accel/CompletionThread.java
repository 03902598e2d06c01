package io.isle.core.accel;

import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A thread that tells of completions: of one context, or of all of realtime priority on a device.
 * Not a virtual one, which tenants that yield in a loop can keep from running. A context that held
 * it up goes on elsewhere while there are others. It sleeps while there is nothing to tell and ends
 * when no context is left. Thread-safe.
 */
final class CompletionThread implements Runnable {
  /** Of one context, before the next one's turn. */
  private static final int BATCH = 16;

  private final Thread thread;
  private final Runnable prepare;
  private final Consumer<Notifier> elsewhere;
  private volatile Notifier[] notifiers = new Notifier[0];
  private boolean started;
  private boolean ended;

  /**
   * @param priority of {@link Thread}
   * @param prepare the first thing that the thread does
   * @param elsewhere has another thread serve a context
   */
  CompletionThread(String name, int priority, Runnable prepare, Consumer<Notifier> elsewhere) {
    this.prepare = prepare;
    this.elsewhere = elsewhere;
    this.thread = Thread.ofPlatform().daemon().name(name).priority(priority).unstarted(this);
  }

  /**
   * Serves one more context.
   *
   * @return false when the thread has ended: take a new one
   */
  synchronized boolean serve(Notifier notifier) {
    if (ended) {
      return false;
    }
    notifier.on(this);
    Notifier[] more = Arrays.copyOf(notifiers, notifiers.length + 1);
    more[notifiers.length] = notifier;
    notifiers = more;
    if (started) {
      wake();
    } else {
      started = true;
      thread.start();
    }
    return true;
  }

  /** There may be something to tell. Any thread. */
  void wake() {
    LockSupport.unpark(thread);
  }

  @Override
  public void run() {
    prepare.run();
    while (true) {
      boolean told = false;
      for (Notifier notifier : notifiers) {
        switch (notifier.tell(BATCH)) {
          case SOME -> {
            told = true;
            if (notifier.isSlow() && notifiers.length > 1) {
              move(notifier);
            }
          }
          case NOTHING -> {}
          case OVER -> {
            if (release(notifier)) {
              return;
            }
          }
        }
      }
      if (!told) {
        LockSupport.park(this);
      }
    }
  }

  private void move(Notifier notifier) {
    try {
      elsewhere.accept(notifier);
      boolean ignored = release(notifier);
    } catch (OutOfMemoryError e) {
      // there is no further thread now: it is told of here
      notifier.on(this);
    }
  }

  /** Returns whether none is left. */
  private synchronized boolean release(Notifier notifier) {
    notifiers =
        Arrays.stream(notifiers).filter(other -> other != notifier).toArray(Notifier[]::new);
    ended = notifiers.length == 0;
    return ended;
  }
}
