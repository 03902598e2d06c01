package io.isle.inference.engine.decide;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Whether calls may use a model: a gate of the model, and one of each group. A failed call closes
 * its gate at once and leaves the reason for the thread that owns the state of fallback, which
 * alone opens the gate again. Any thread.
 */
public final class Gate {
  /** Calls use the model. */
  static final int OPEN = 0;

  /** The rule decides. */
  static final int CLOSED = 1;

  /** The next call tries the model. */
  static final int TRIAL = 2;

  /** Why a call closed a gate. */
  public enum Trip {
    /** No reason is left. */
    NONE,
    /** All repetitions of a call took longer than allowed. */
    OVER_TIME,
    /** Many outputs in a row were out of their range. */
    INVALID_OUTPUT,
    /** Features are not distributed as in training. */
    DISTRIBUTION
  }

  /** What came of a trial. */
  public enum Trial {
    /** No trial has ended. */
    NONE,
    /** The model's answer was good. */
    GOOD,
    /** It was not. */
    BAD
  }

  private static final Trip[] TRIPS = Trip.values();
  private static final int CLAIMED = -1;
  private static final VarHandle STATE;
  private static final VarHandle TRIP;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      STATE = lookup.findVarHandle(Gate.class, "state", int.class);
      TRIP = lookup.findVarHandle(Gate.class, "trip", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private volatile int state;
  private volatile int trip;
  private volatile Trial trial = Trial.NONE;
  private int feature;
  private int observed;

  int state() {
    return state;
  }

  /** Closes the gate for a reason. The first reason that is not taken yet stays. */
  void trip(Trip why, int whichFeature, int value) {
    if (TRIP.compareAndSet(this, 0, CLAIMED)) {
      feature = whichFeature;
      observed = value;
      state = CLOSED;
      trip = why.ordinal();
    }
  }

  /** Takes the one trial that the owner has allowed; false if another call has. */
  boolean takeTrial() {
    return STATE.compareAndSet(this, TRIAL, CLOSED);
  }

  void trialEnds(boolean good) {
    trial = good ? Trial.GOOD : Trial.BAD;
  }

  /** The reason of a closed gate that the owner does not know yet. */
  public Trip trip() {
    int now = trip;
    return now <= 0 ? Trip.NONE : TRIPS[now];
  }

  /** The feature of {@link #trip}; -1 without one. */
  public int feature() {
    return feature;
  }

  /** The value of that feature. */
  public int observed() {
    return observed;
  }

  /** The owner has taken the reason note of. */
  public void forgetTrip() {
    trip = 0;
  }

  /** The result of the last trial, once. */
  public Trial takeTrialResult() {
    Trial result = trial;
    if (result != Trial.NONE) {
      trial = Trial.NONE;
    }
    return result;
  }

  /** Lets calls use the model, unless a reason waits to be taken note of. */
  public void open() {
    state = OPEN;
    if (trip != 0) {
      state = CLOSED;
    }
  }

  /** The rule decides. */
  public void close() {
    state = CLOSED;
  }

  /** The next call tries the model. */
  public void allowTrial() {
    trial = Trial.NONE;
    state = TRIAL;
  }

  /** Whether calls use the model. */
  public boolean isOpen() {
    return state == OPEN;
  }
}
