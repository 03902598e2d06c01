package io.isle.core.drivers.nativecode;

import io.isle.api.driver.Health;
import io.isle.lib.kabi.CStruct;
import io.isle.lib.kabi.ControlOp;
import io.isle.lib.kabi.KabiStructs;
import java.lang.foreign.MemorySegment;

/** Health data of a native device. */
final class NativeHealth implements Health {
  private final ControlClient control;

  NativeHealth(ControlClient control) {
    this.control = control;
  }

  @Override
  public Reading read() {
    CStruct type = KabiStructs.HEALTH;
    MemorySegment memory = control.call(ControlOp.HEALTH).as(type, ControlOp.HEALTH);
    return new Reading(
        type.getInt(memory, "temperature_mc"),
        type.getInt(memory, "power_mw"),
        type.get(memory, "ecc_correctable"),
        type.get(memory, "ecc_uncorrectable"),
        type.getInt(memory, "throttle_count"),
        type.getInt(memory, "error_code"),
        type.getInt(memory, "pcie_replay_count"));
  }
}
