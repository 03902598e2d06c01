package io.isle.inference.engine;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The thread that scores decisions and looks after models, at regular times until its end. */
final class EngineThread implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(EngineThread.class.getName());
  private static final long JOIN_MS = 10_000;

  private final Runnable round;
  private final LongSupplier pauseMs;
  private final Thread thread;
  private volatile boolean ended;

  /**
   * Starts the thread.
   *
   * @param round what is done each time; a failure is logged, once in a row
   * @param pauseMs time between two rounds, as it is now
   */
  EngineThread(Runnable round, LongSupplier pauseMs) {
    this.round = round;
    this.pauseMs = pauseMs;
    thread = Thread.ofPlatform().daemon().name("isle-inference").start(this::run);
  }

  private void run() {
    boolean failed = false;
    while (!ended) {
      try {
        TimeUnit.MILLISECONDS.sleep(pauseMs.getAsLong());
        round.run();
        failed = false;
      } catch (InterruptedException e) {
        // the end, or nothing
      } catch (RuntimeException | Error e) {
        if (!failed) {
          LOG.log(System.Logger.Level.ERROR, "a round of scoring failed; the next one follows", e);
        }
        failed = true;
      }
    }
  }

  /** Ends the thread after the round that runs. */
  @Override
  public void close() {
    ended = true;
    thread.interrupt();
    try {
      thread.join(JOIN_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
