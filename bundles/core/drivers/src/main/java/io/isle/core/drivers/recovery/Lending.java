package io.isle.core.drivers.recovery;

import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.RecoveryParticipant.Recovering;
import io.isle.core.drivers.session.OpenSession;
import io.isle.core.drivers.session.OpeningHistory;
import java.util.Optional;

/** To whom one device is lent, and what they are told of it. One thread at a time. */
final class Lending {
  private static final RecoveryCause JOINED =
      new RecoveryCause(
          RecoveryCause.Kind.SERVICE, "a subsystem that takes part in recoveries has started");

  private final String device;
  private final RecoveryServices around;
  private final OpeningHistory history = new OpeningHistory();

  /** Nothing is open, nor about to come back: what opens next is new to all. */
  private boolean fresh = true;

  Lending(String device, RecoveryServices around) {
    this.device = device;
    this.around = around;
  }

  /** Of the sessions of the device. */
  OpeningHistory history() {
    return history;
  }

  /**
   * Calls all who take part; none of them stops the recovery.
   *
   * @param session of the device, or of the process of the run's group; null where there is none
   */
  void tell(RecoveryRun run, Step step, int epoch, OpenSession session) {
    around
        .participants()
        .tell(step, new Recovering(device, run.group(), run.cause(), epoch, fresh), session);
  }

  /** One that takes part has come: it is told of the open device. */
  void join(BoundedParticipant bounded, OpenSession session) {
    around
        .participants()
        .join(
            bounded,
            new Recovering(device, Optional.empty(), JOINED, session.epoch(), true),
            session);
  }

  /** Its users are interrupted. */
  void interrupted() {
    around.sessions().recovers(device);
    history.interrupted();
  }

  /** Its users go on, before contexts do: a tenant's success shows that the device takes calls. */
  void goesOn(OpenSession session) {
    history.goesOn(session);
    around.sessions().list(session);
  }

  /** All who take part have been told: it can be used. */
  void open(OpenSession session) {
    fresh = false;
    around.sessions().open(session);
  }

  /** No opening follows for now. */
  void closed() {
    fresh = true;
    history.closed();
    around.sessions().closed(device);
  }

  /** Nothing of it is kept. */
  void forget() {
    around.participants().forget(device);
  }
}
