package io.isle.faces.shell.net.link;

/** A clock that goes on when somebody waits; what happens meanwhile is the test's. */
final class FakePace implements Pace {
  private static final long IDLE_NS = 10;
  private static final int MOST_IDLE = 100_000;

  private Runnable meanwhile = () -> {};
  private boolean interrupted;
  private long ns = Long.MAX_VALUE - 1000;
  private int longestIdle;

  FakePace meanwhile(Runnable work) {
    meanwhile = work;
    return this;
  }

  void interrupt() {
    interrupted = true;
  }

  /** The largest round of {@link #idle}. */
  int longestIdle() {
    return longestIdle;
  }

  @Override
  public long nanoTime() {
    return ns;
  }

  @Override
  public void idle(int round) {
    longestIdle = Math.max(longestIdle, round);
    if (longestIdle > MOST_IDLE) {
      throw new IllegalStateException("the loop waits for nothing");
    }
    ns += IDLE_NS;
    meanwhile.run();
  }

  @Override
  public void until(long when) {
    meanwhile.run();
    if (when - ns > 0) {
      ns = when;
    }
  }

  @Override
  public boolean interrupted() {
    return interrupted;
  }
}
