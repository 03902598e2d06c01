package io.isle.apps.jobs.platform;

import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.DoubleSupplier;

/**
 * How steps are tried again whose device's driver ended under them: after a random time that grows
 * with each try, and from the second end on one at a time on a device. So a program that ends the
 * driver soon does it alone, and steps that only were on the same device get done. One for all
 * jobs; thread-safe.
 */
public final class CrashBlame {
  private static final long FIRST_NS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int GROWTH = 4;

  private final Pause pause;
  private final DoubleSupplier random;
  private final Map<String, ReentrantLock> turns = new ConcurrentHashMap<>();

  /** Lets time go by. */
  @FunctionalInterface
  public interface Pause {
    void of(long ns) throws InterruptedException;
  }

  /** A device without other steps under suspicion; given back by the thread that took it. */
  public interface Turn extends AutoCloseable {
    /** Of a step under no suspicion. */
    Turn NONE = () -> {};

    @Override
    void close();
  }

  public CrashBlame() {
    this(TimeUnit.NANOSECONDS::sleep, new Random()::nextDouble);
  }

  /**
   * With other time and chance.
   *
   * @param random from 0 to 1
   */
  public CrashBlame(Pause pause, DoubleSupplier random) {
    this.pause = pause;
    this.random = random;
  }

  /**
   * Waits for the next try.
   *
   * @param ends of the driver, in a row; at least 1
   */
  public Turn next(String device, int ends) throws InterruptedException {
    double length = FIRST_NS * Math.pow(GROWTH, ends - 1);
    pause.of((long) (length * (0.5 + random.getAsDouble())));
    if (ends == 1) {
      return Turn.NONE;
    }
    ReentrantLock turn = turns.computeIfAbsent(device, id -> new ReentrantLock(true));
    turn.lockInterruptibly();
    return turn::unlock;
  }
}
