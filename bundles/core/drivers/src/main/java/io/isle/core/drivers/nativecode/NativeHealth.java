package io.isle.core.drivers.nativecode;

import io.isle.api.driver.Health;
import io.isle.lib.kabi.ControlOp;
import io.isle.lib.kabi.KabiStructs;

/** Health data of a native device. */
final class NativeHealth implements Health {
  private final ControlClient control;

  NativeHealth(ControlClient control) {
    this.control = control;
  }

  @Override
  public Reading read() {
    return Decoder.health(control.call(ControlOp.HEALTH).as(KabiStructs.HEALTH, ControlOp.HEALTH));
  }
}
