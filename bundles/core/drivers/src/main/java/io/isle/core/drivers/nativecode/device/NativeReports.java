package io.isle.core.drivers.nativecode.device;

import io.isle.api.driver.ComputeReports;
import io.isle.core.drivers.nativecode.control.ControlClient;
import io.isle.core.drivers.nativecode.control.Decoder;
import io.isle.lib.kabi.ControlOp;
import io.isle.lib.kabi.KabiStructs;

/** Compute capabilities and counters of a native device. */
final class NativeReports implements ComputeReports {
  private final ControlClient control;

  NativeReports(ControlClient control) {
    this.control = control;
  }

  @Override
  public ComputeCaps caps() {
    return Decoder.caps(
        control.call(ControlOp.COMPUTE_CAPS).as(KabiStructs.COMPUTE_CAPS, ControlOp.COMPUTE_CAPS));
  }

  @Override
  public PerfCounters counters(long context) {
    return Decoder.counters(
        control
            .call(ControlOp.PERF_COUNTERS, context)
            .as(KabiStructs.PERF_COUNTERS, ControlOp.PERF_COUNTERS));
  }
}
