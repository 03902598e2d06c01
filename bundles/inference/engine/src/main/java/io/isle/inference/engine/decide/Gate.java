package io.isle.inference.engine.decide;

import io.isle.inference.engine.fallback.FallbackGate;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Whether calls come to the model: what a machine of fallback says, as deciding threads read it. A
 * failed call closes the gate at once; the machine hears of it later. Without locks; any thread.
 */
final class Gate implements FallbackGate {
  /** The model answers. */
  static final int OPEN = 0;

  /** The rule answers. */
  static final int CLOSED = 1;

  /** The caller has the one call on trial, and ends it by {@link #tried} or {@link #giveBack}. */
  static final int TRIAL = 2;

  /** Bits of {@link #takeNews}. */
  static final int SUCCEEDED = 1;

  static final int FAILED = 2;
  static final int OVER_BUDGET = 4;
  static final int INVALID = 8;

  private static final int TAKEN = 3;
  private static final VarHandle STATE;
  private static final VarHandle NEWS;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      STATE = lookup.findVarHandle(Gate.class, "state", int.class);
      NEWS = lookup.findVarHandle(Gate.class, "news", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile int state;
  private volatile int news;

  /** Before a call: {@link #OPEN}, {@link #CLOSED} or {@link #TRIAL}. */
  int enter() {
    int now = state;
    if (now == OPEN) {
      return OPEN;
    }
    return now == TRIAL && STATE.compareAndSet(this, TRIAL, TAKEN) ? TRIAL : CLOSED;
  }

  /** Ends a trial whose call did not come to the model. */
  void giveBack() {
    boolean ignored = STATE.compareAndSet(this, TAKEN, TRIAL);
  }

  /** Ends a trial. */
  void tried(boolean good) {
    report(good ? SUCCEEDED : FAILED);
  }

  /** A call went over the budget. */
  void overBudget() {
    state = CLOSED;
    report(OVER_BUDGET);
  }

  /** Too many outputs in a row were invalid. */
  void invalid() {
    state = CLOSED;
    report(INVALID);
  }

  private void report(int what) {
    int ignored = (int) NEWS.getAndBitwiseOr(this, what);
  }

  /** What was reported since the last call. */
  int takeNews() {
    return news == 0 ? 0 : (int) NEWS.getAndSet(this, 0);
  }

  @Override
  public void open() {
    state = OPEN;
  }

  @Override
  public void close() {
    state = CLOSED;
  }

  @Override
  public void allowTrial() {
    state = TRIAL;
  }
}
