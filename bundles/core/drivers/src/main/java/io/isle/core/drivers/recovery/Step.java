package io.isle.core.drivers.recovery;

import io.isle.api.driver.DeviceSession;
import io.isle.api.driver.RecoveryParticipant;
import io.isle.api.driver.RecoveryParticipant.Recovering;
import java.util.Locale;

/** What participants are called for, in the order of a recovery. */
public enum Step {
  DRAIN((who, of, session) -> who.drain(of, session)),
  FREEZE((who, of, session) -> who.freeze(of)),
  FAIL((who, of, session) -> who.fail(of)),
  REVOKE((who, of, session) -> who.revoke(of)),
  RESET((who, of, session) -> who.reset(of)),
  OPEN((who, of, session) -> who.open(of, session)),
  REBUILD((who, of, session) -> who.rebuild(of, session)),
  THAW((who, of, session) -> who.thaw(of, session)),
  TAKEN_BACK((who, of, session) -> who.takenBack(of));

  private final Call call;

  private interface Call {
    void make(RecoveryParticipant who, Recovering of, DeviceSession session);
  }

  Step(Call call) {
    this.call = call;
  }

  void make(RecoveryParticipant who, Recovering of, DeviceSession session) {
    call.make(who, of, session);
  }

  String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
