package io.isle.apps.jobs.run;

import io.isle.apps.jobs.spec.JobSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Runs the streams of a job side by side; the first failure ends the others. */
final class Streams {
  private final Env env;
  private final List<JobSpec.Stream> streams;
  private final List<ResultSink> sinks;
  private final AtomicReference<RuntimeException> failure = new AtomicReference<>();

  Streams(Env env, List<JobSpec.Stream> streams, List<ResultSink> sinks) {
    this.env = env;
    this.streams = streams;
    this.sinks = sinks;
  }

  void run() throws InterruptedException {
    if (streams.size() == 1) {
      alone(new StreamRun(env, streams.getFirst(), sinks));
      return;
    }
    List<Thread> threads = new ArrayList<>();
    CallerThread caller = new CallerThread(env.observer());
    AtomicInteger alive = new AtomicInteger(streams.size());
    for (JobSpec.Stream stream : streams) {
      String name = env.threadName() + "-" + stream.name();
      StreamRun run = new StreamRun(env.with(name, caller), stream, sinks);
      threads.add(
          Thread.ofPlatform()
              .name(name)
              .unstarted(
                  () -> {
                    try {
                      one(run, threads);
                    } finally {
                      caller.post(alive::decrementAndGet);
                    }
                  }));
    }
    threads.forEach(Thread::start);
    boolean interrupted = false;
    while (alive.get() > 0) {
      try {
        caller.runNext();
      } catch (InterruptedException e) {
        interrupted = true;
        threads.forEach(Thread::interrupt);
      }
    }
    interrupted |= join(threads);
    if (interrupted) {
      // a call that is interrupted may be taken for a failure of the device
      throw new InterruptedException("cancelled");
    }
    if (failure.get() != null) {
      throw failure.get();
    }
  }

  private static void alone(StreamRun run) throws InterruptedException {
    try {
      run.run();
    } catch (RuntimeException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException("cancelled");
      }
      throw e;
    }
  }

  private void one(StreamRun run, List<Thread> threads) {
    try {
      run.run();
    } catch (InterruptedException e) {
      // The one that failed, or the caller, ended this stream.
      return;
    } catch (RuntimeException e) {
      fail(e, threads);
    } catch (Error e) {
      fail(new IllegalStateException(e), threads);
    }
  }

  private void fail(RuntimeException e, List<Thread> threads) {
    if (failure.compareAndSet(null, e)) {
      for (Thread thread : threads) {
        if (thread != Thread.currentThread()) {
          thread.interrupt();
        }
      }
    }
  }

  private static boolean join(List<Thread> threads) {
    boolean interrupted = false;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    return interrupted;
  }
}
