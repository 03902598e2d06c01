package io.isle.core.drivers.recovery;

import io.isle.api.driver.DeviceSession;
import io.isle.api.driver.RecoveryParticipant;
import io.isle.api.driver.RecoveryParticipant.Recovering;
import java.util.Arrays;
import java.util.Locale;

/** What participants are called for, in the order of a recovery. */
public enum Step {
  DRAIN("drain", (who, of, session) -> who.drain(of, session)),
  FREEZE("freeze", (who, of, session) -> who.freeze(of)),
  FAIL("fail", (who, of, session) -> who.fail(of)),
  REVOKE("revoke", (who, of, session) -> who.revoke(of)),
  RESET("reset", (who, of, session) -> who.reset(of)),
  OPEN("open", (who, of, session) -> who.open(of, session)),
  REBUILD("rebuild", (who, of, session) -> who.rebuild(of, session)),
  THAW("thaw", (who, of, session) -> who.thaw(of, session)),
  TAKEN_BACK("takenBack", (who, of, session) -> who.takenBack(of));

  private final String method;
  private final Call call;

  private interface Call {
    void make(RecoveryParticipant who, Recovering of, DeviceSession session);
  }

  Step(String method, Call call) {
    this.method = method;
    this.call = call;
  }

  /** Whether the participant has a body of its own for this phase, not the empty one of the API. */
  boolean isIn(RecoveryParticipant participant) {
    return Arrays.stream(participant.getClass().getMethods())
        .filter(each -> each.getName().equals(method))
        .filter(each -> each.getDeclaringClass() != RecoveryParticipant.class)
        .anyMatch(
            each ->
                each.getParameterCount() > 0 && each.getParameterTypes()[0] == Recovering.class);
  }

  void make(RecoveryParticipant who, Recovering of, DeviceSession session) {
    call.make(who, of, session);
  }

  String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
