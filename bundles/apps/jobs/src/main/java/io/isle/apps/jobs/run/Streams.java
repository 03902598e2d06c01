package io.isle.apps.jobs.run;

import io.isle.api.base.Errno;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.platform.Threads;
import io.isle.apps.jobs.spec.JobSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import javax.security.auth.Subject;

/**
 * Runs the streams of a job side by side; the first failure, of whatever kind, ends the others,
 * also that one of their threads cannot be started. Each has a thread of its own, on behalf of the
 * caller: the caller's thread touches no memory of a device, so that its interrupt flag means what
 * it says (see {@link Ending}).
 */
final class Streams {
  private final Env env;
  private final List<JobSpec.Stream> streams;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicReference<RuntimeException> failure = new AtomicReference<>();
  private final BiFunction<String, Runnable, Thread> newThread;

  /**
   * @param newThread makes a thread of a name, not started
   */
  Streams(Env env, BiFunction<String, Runnable, Thread> newThread) {
    this.env = env;
    this.newThread = newThread;
    this.streams = env.placement().streams();
  }

  /** Runs them to their end; once. */
  void run() throws InterruptedException {
    CallerThread caller = new CallerThread(env.observer());
    AtomicInteger alive = new AtomicInteger(streams.size());
    Subject subject = Subject.current();
    for (JobSpec.Stream stream : streams) {
      String name = env.threadName() + "-" + stream.name();
      StreamRun run = new StreamRun(env.with(name, caller), stream);
      threads.add(
          newThread.apply(
              name,
              () -> {
                try {
                  Subject.callAs(subject, () -> one(run));
                } finally {
                  caller.post(alive::decrementAndGet);
                }
              }));
    }
    int missing = threads.size() - start();
    alive.addAndGet(-missing);
    boolean interrupted = false;
    while (alive.get() > 0) {
      try {
        caller.runNext();
      } catch (InterruptedException e) {
        interrupted = true;
        env.ending().ask(threads);
      }
    }
    threads.forEach(Threads::join);
    interrupted |= Thread.interrupted();
    if (interrupted) {
      // A call that is interrupted may be taken for a failure of the device.
      throw new InterruptedException("cancelled");
    }
    if (failure.get() != null) {
      throw failure.get();
    }
  }

  /** Returns how many could be started; those end when that was not all of them. */
  private int start() {
    int started = 0;
    try {
      for (Thread thread : threads) {
        thread.start();
        started++;
      }
    } catch (OutOfMemoryError e) {
      fail(
          JobException.failed(
              Errno.ENOMEM,
              "the platform cannot start a thread for each stream of the job ("
                  + e.getMessage()
                  + "); raise ulimit -u or the limits of the platform's service",
              e));
    } catch (RuntimeException e) {
      fail(e);
    } catch (Error e) {
      fail(new IllegalStateException(e));
    }
    return started;
  }

  private Void one(StreamRun run) {
    try {
      run.run();
    } catch (InterruptedException e) {
      // The one that failed, or the caller, ended this stream; else its work is not all done.
      if (!env.ending().asked()) {
        fail(
            JobException.failed(
                Errno.ECANCELED,
                env.device() + ": work of the job was cancelled, but not by the job's user",
                e));
      }
    } catch (RuntimeException e) {
      fail(e);
    } catch (OutOfMemoryError e) {
      // Of memory outside of the heap: that of the heap ends the platform.
      fail(
          JobException.failed(
              Errno.ENOMEM,
              "the platform has too little memory outside of the Java heap for the job ("
                  + e.getMessage()
                  + "); cut the steps with 'stream', or raise the limit with"
                  + " ISLE_JAVA_OPTS=-XX:MaxDirectMemorySize=...",
              e));
    } catch (Error e) {
      fail(new IllegalStateException(e));
    }
    return null;
  }

  private void fail(RuntimeException e) {
    if (failure.compareAndSet(null, e)) {
      Thread self = Thread.currentThread();
      env.ending().ask(threads.stream().filter(thread -> thread != self).toList());
    }
  }
}
