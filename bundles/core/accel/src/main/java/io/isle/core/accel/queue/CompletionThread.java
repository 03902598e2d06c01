package io.isle.core.accel.queue;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that tells of completions: of one context, or of all of realtime priority on a device.
 * It survives whatever telling throws: listeners and futures are somebody else's code. Not a
 * virtual one, which tenants that yield in a loop can keep from running. A context that held it up
 * goes on elsewhere while there are others; where it does not let go, the others do. It sleeps
 * while there is nothing to tell and ends when no context is left. Thread-safe.
 */
final class CompletionThread extends WokenThread {
  private static final System.Logger LOG = System.getLogger(CompletionThread.class.getName());

  /** Of one context, before the next one's turn. */
  private static final int BATCH = 16;

  /** Who has not come back after this, or twice this at most, is not waited for. */
  private static final long WATCH_NS = TimeUnit.MILLISECONDS.toNanos(500);

  /** Between a failure and the next look. */
  private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(20);

  /** Where contexts go on that do not stay here. */
  interface Elsewhere {
    /** Nobody else is served by the thread, so nobody has to go. */
    Elsewhere NOWHERE =
        new Elsewhere() {
          @Override
          public void move(Notifier slow) {}

          @Override
          public void leave(CompletionThread stuck, Notifier waiting) {}
        };

    /** It held the others up. */
    void move(Notifier slow);

    /** It waits behind one that does not return; who comes later is not to wait there, too. */
    void leave(CompletionThread stuck, Notifier waiting);
  }

  private final Runnable prepare;
  private final Elsewhere elsewhere;
  private volatile Notifier[] notifiers = new Notifier[0];
  private boolean started;
  private boolean ended;

  /** Looks after it while several are served here; else null. */
  private Thread watcher;

  /** Whom it tells of now; null while it sleeps. */
  private Notifier telling;

  /** How often somebody had its turn. */
  private long turns;

  /**
   * @param priority of {@link Thread}
   * @param prepare the first thing that the thread does
   */
  CompletionThread(String name, int priority, Runnable prepare, Elsewhere elsewhere) {
    super(name, priority);
    this.prepare = prepare;
    this.elsewhere = elsewhere;
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
    if (notifiers.length > 0 && watcher == null) {
      watcher = Thread.ofPlatform().daemon().name(thread.getName() + "-watch").start(this::watch);
    }
    if (!started) {
      // first, for it may not be possible: it finds its contexts when this is over
      thread.start();
      started = true;
    }
    notifier.on(this);
    Notifier[] more = Arrays.copyOf(notifiers, notifiers.length + 1);
    more[notifiers.length] = notifier;
    notifiers = more;
    wake();
    return true;
  }

  @Override
  public void run() {
    try {
      prepare.run();
    } catch (RuntimeException | Error e) {
      LOG.log(
          System.Logger.Level.WARNING,
          thread.getName() + " runs without its wanted scheduling class",
          e);
    }
    while (true) {
      boolean told = false;
      for (Notifier notifier : notifiers) {
        if (!begin(notifier)) {
          continue;
        }
        switch (tell(notifier)) {
          case SOME -> {
            told = true;
            if (notifier.isSlow() && notifiers.length > 1 && move(notifier)) {
              return;
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
        rest();
        LockSupport.park(this);
      }
    }
  }

  /** After a failure it goes on with what is left: nobody may ring again. */
  private static Notifier.Told tell(Notifier notifier) {
    try {
      return notifier.tell(BATCH);
    } catch (RuntimeException | Error e) {
      LOG.log(System.Logger.Level.ERROR, "the completion thread failed because of a defect", e);
      // one that fails at each look must not keep a processor busy
      LockSupport.parkNanos(RETRY_NS);
      return Notifier.Told.SOME;
    }
  }

  /** Returns false when it has gone elsewhere. */
  private synchronized boolean begin(Notifier notifier) {
    boolean here = Arrays.asList(notifiers).contains(notifier);
    telling = here ? notifier : null;
    turns++;
    return here;
  }

  private synchronized void rest() {
    telling = null;
  }

  /** Returns whether none is left. */
  private boolean move(Notifier notifier) {
    try {
      elsewhere.move(notifier);
    } catch (RuntimeException | Error e) {
      // most likely there is no further thread now: it is told of here
      notifier.on(this);
      return false;
    }
    return release(notifier);
  }

  /** Returns whether none is left. */
  private synchronized boolean release(Notifier notifier) {
    notifiers =
        Arrays.stream(notifiers).filter(other -> other != notifier).toArray(Notifier[]::new);
    ended = notifiers.length == 0;
    if (notifiers.length < 2) {
      LockSupport.unpark(watcher);
    }
    return ended;
  }

  /** On a thread of its own, while several are served here. */
  private void watch() {
    long seen = -1;
    while (true) {
      LockSupport.parkNanos(this, WATCH_NS);
      Notifier[] waiting;
      Notifier stuck;
      synchronized (this) {
        if (notifiers.length < 2) {
          watcher = null;
          return;
        }
        if (telling == null || turns != seen) {
          seen = turns;
          continue;
        }
        waiting =
            Arrays.stream(notifiers).filter(other -> other != telling).toArray(Notifier[]::new);
        notifiers = new Notifier[] {telling};
        stuck = telling;
        watcher = null;
      }
      for (Notifier notifier : waiting) {
        leave(notifier);
      }
      stuck.warnStuck();
      return;
    }
  }

  private void leave(Notifier notifier) {
    while (true) {
      try {
        elsewhere.leave(this, notifier);
        return;
      } catch (RuntimeException | Error e) {
        // most likely there is no further thread now
        LockSupport.parkNanos(this, WATCH_NS);
      }
    }
  }
}
