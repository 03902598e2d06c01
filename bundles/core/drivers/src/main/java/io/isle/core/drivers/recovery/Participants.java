package io.isle.core.drivers.recovery;

import io.isle.api.driver.DeviceSession;
import io.isle.api.driver.RecoveryParticipant;
import io.isle.api.driver.RecoveryParticipant.Recovering;
import io.isle.core.drivers.session.GuestThreads;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** Subsystems that take part in recoveries, in the order in which they came. Thread-safe. */
public final class Participants {
  private final List<Guest> all = new CopyOnWriteArrayList<>();
  private final GuestThreads threads;
  private final Supplier<Duration> bound;

  /**
   * @param bound longest time of a call
   */
  public Participants(GuestThreads threads, Supplier<Duration> bound) {
    this.threads = threads;
    this.bound = bound;
  }

  /** It is told of devices that are opened from now on, and of those that it {@link #join}s. */
  public Guest add(RecoveryParticipant participant) {
    Guest guest = new Guest(participant, threads);
    all.add(guest);
    return guest;
  }

  /** It is not called any more once this returns, nor referred to. */
  public void remove(RecoveryParticipant participant) {
    for (Guest guest : all) {
      if (guest.isFor(participant)) {
        all.remove(guest);
        guest.leave(bound.get());
      }
    }
  }

  /** Calls each; what one throws or how long one takes does not stop the others. */
  void tell(Step step, Recovering of, DeviceSession session) {
    for (Guest guest : all) {
      guest.call(step, step == Step.RESET, of, session, bound.get());
    }
  }

  /** Tells one that has come of a device that is open, unless it took part in its opening. */
  void join(Guest guest, Recovering of, DeviceSession session) {
    if (guest.hasEntered(of.device())) {
      return;
    }
    for (Step step : List.of(Step.OPEN, Step.REBUILD, Step.THAW)) {
      guest.call(step, step == Step.OPEN, of, session, bound.get());
    }
  }

  /** The device goes: nothing is kept of it. */
  public void forget(String device) {
    all.forEach(guest -> guest.forget(device));
  }
}
