package io.isle.core.drivers.nativecode.device;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.PowerControl;
import io.isle.core.drivers.nativecode.control.ControlClient;
import io.isle.lib.kabi.ControlOp;
import java.util.EnumSet;
import java.util.Set;

/** Power states of a native device. */
final class NativePower implements PowerControl {
  private final ControlClient control;

  NativePower(ControlClient control) {
    this.control = control;
  }

  @Override
  public Set<State> states() {
    int bits = control.call(ControlOp.POWER_STATES).u32(ControlOp.POWER_STATES);
    EnumSet<State> states = EnumSet.noneOf(State.class);
    for (State state : State.values()) {
      if ((bits >> state.code() & 1) != 0) {
        states.add(state);
      }
    }
    if (!states.contains(State.D0_ACTIVE)) {
      throw new DriverException(Errno.EPROTO, "the driver reported states = " + bits);
    }
    return states;
  }

  @Override
  public void enter(State state) {
    var ignored = control.call(ControlOp.SET_POWER, state.code());
  }
}
