package io.isle.core.drivers.recovery;

import io.isle.api.driver.DeviceSession;
import io.isle.api.driver.RecoveryParticipant;
import io.isle.api.driver.RecoveryParticipant.Recovering;
import io.isle.core.drivers.session.ServiceThreads;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** Subsystems that take part in recoveries, in the order in which they came. Thread-safe. */
public final class Participants {
  private final List<BoundedParticipant> all = new CopyOnWriteArrayList<>();
  private final ServiceThreads threads;
  private final Supplier<Duration> bound;

  /**
   * @param bound longest time of a call
   */
  public Participants(ServiceThreads threads, Supplier<Duration> bound) {
    this.threads = threads;
    this.bound = bound;
  }

  /** It is told of devices that are opened from now on, and of those that it {@link #join}s. */
  public BoundedParticipant add(RecoveryParticipant participant) {
    BoundedParticipant bounded = new BoundedParticipant(participant, threads);
    all.add(bounded);
    return bounded;
  }

  /** It is not called any more once this returns, nor referred to. */
  public void remove(RecoveryParticipant participant) {
    for (BoundedParticipant bounded : all) {
      if (bounded.isFor(participant)) {
        all.remove(bounded);
        bounded.leave(bound.get());
      }
    }
  }

  /** Calls each; what one throws or how long one takes does not stop the others. */
  void tell(Step step, Recovering of, DeviceSession session) {
    for (BoundedParticipant bounded : all) {
      bounded.call(step, step == Step.RESET, of, session, bound.get());
    }
  }

  /** Tells one that has come of a device that is open, unless it took part in its opening. */
  void join(BoundedParticipant bounded, Recovering of, DeviceSession session) {
    if (bounded.hasEntered(of.device())) {
      return;
    }
    for (Step step : List.of(Step.OPEN, Step.REBUILD, Step.THAW)) {
      bounded.call(step, step == Step.OPEN, of, session, bound.get());
    }
  }

  /** The device goes: nothing is kept of it. */
  public void forget(String device) {
    all.forEach(bounded -> bounded.forget(device));
  }
}
