package io.isle.core.drivers.nativecode.device;

import io.isle.api.driver.Health;
import io.isle.core.drivers.nativecode.control.ControlClient;
import io.isle.core.drivers.nativecode.control.Decoder;
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
