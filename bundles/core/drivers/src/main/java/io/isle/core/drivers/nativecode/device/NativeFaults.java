package io.isle.core.drivers.nativecode.device;

import io.isle.api.driver.FaultInjection;
import io.isle.core.drivers.nativecode.control.ControlClient;
import io.isle.lib.kabi.CStruct;
import io.isle.lib.kabi.ControlOp;
import io.isle.lib.kabi.WireStructs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Planned faults of a native device. */
final class NativeFaults implements FaultInjection {
  private final ControlClient control;

  NativeFaults(ControlClient control) {
    this.control = control;
  }

  @Override
  public void inject(Fault fault, long after, long count, long value) {
    try (Arena arena = Arena.ofConfined()) {
      CStruct type = WireStructs.INJECT_REQUEST;
      MemorySegment body = arena.allocate(type.size(), 8);
      type.set(body, "fault", fault.ordinal() + 1);
      type.set(body, "after", after);
      type.set(body, "count", count);
      type.set(body, "value", value);
      var ignored = control.call(ControlOp.INJECT_FAULT, body);
    }
  }
}
