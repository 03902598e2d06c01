package io.isle.core.drivers.nativecode.device;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.HandlerUnits;
import io.isle.api.driver.HpuCaps;
import io.isle.api.driver.HpuLimits;
import io.isle.api.driver.HpuReport;
import io.isle.core.drivers.nativecode.control.ControlClient;
import io.isle.core.drivers.nativecode.control.HandlersDecoder;
import io.isle.lib.kabi.CStruct;
import io.isle.lib.kabi.ControlOp;
import io.isle.lib.kabi.SpinStructs;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The HPUs of a native device. */
final class NativeHandlers implements HandlerUnits {
  private final ControlClient control;

  NativeHandlers(ControlClient control) {
    this.control = control;
  }

  @Override
  public HpuCaps caps() {
    ControlOp op = ControlOp.HPU_CAPS;
    return HandlersDecoder.caps(control.call(op).as(SpinStructs.HPU_CAPS, op));
  }

  @Override
  public void attach(long context, long program, long[] memories, HpuLimits limits) {
    if (memories.length != MEMORIES) {
      throw new DriverException(
          Errno.EINVAL, "memories: " + memories.length + " are given, " + MEMORIES + " are needed");
    }
    CStruct type = SpinStructs.ATTACH_REQUEST;
    MemorySegment body = MemorySegment.ofArray(new byte[Math.toIntExact(type.size())]);
    type.set(body, "context", context);
    type.set(body, "program", program);
    for (int i = 0; i < MEMORIES; i++) {
      body.set(
          ValueLayout.JAVA_LONG_UNALIGNED,
          type.offset("memories") + (long) i * Long.BYTES,
          memories[i]);
    }
    MemorySegment at = body.asSlice(type.offset("limits"));
    SpinStructs.HPU_LIMITS.set(at, "handler_limit_us", limits.handlerMicros());
    SpinStructs.HPU_LIMITS.set(at, "host_wait_ms", limits.hostWaitMillis());
    SpinStructs.HPU_LIMITS.set(at, "trap_limit", limits.traps());
    SpinStructs.HPU_LIMITS.set(at, "hpu_spin_us", limits.spinMicros());
    var ignored = control.call(ControlOp.HPU_ATTACH, body);
  }

  @Override
  public void detach(long context) {
    var ignored = control.call(ControlOp.HPU_DETACH, context);
  }

  @Override
  public HpuReport report(long context) {
    ControlOp op = ControlOp.HPU_REPORT;
    return HandlersDecoder.report(control.call(op, context).as(SpinStructs.HPU_REPORT, op));
  }
}
