package io.isle.core.drivers.nativecode;

import io.isle.api.driver.ComputeReports;
import io.isle.lib.kabi.CStruct;
import io.isle.lib.kabi.ControlOp;
import io.isle.lib.kabi.KabiStructs;
import java.lang.foreign.MemorySegment;
import java.util.stream.IntStream;

/** Compute capabilities and counters of a native device. */
final class NativeReports implements ComputeReports {
  private final ControlClient control;

  NativeReports(ControlClient control) {
    this.control = control;
  }

  @Override
  public ComputeCaps caps() {
    CStruct type = KabiStructs.COMPUTE_CAPS;
    MemorySegment memory = control.call(ControlOp.COMPUTE_CAPS).as(type, ControlOp.COMPUTE_CAPS);
    return new ComputeCaps(
        type.getInt(memory, "isa_version"),
        type.getInt(memory, "max_workgroup_size"),
        type.getInt(memory, "max_local_memory"),
        type.getInt(memory, "shader_cores"),
        type.getInt(memory, "fp32_gflops"),
        type.getInt(memory, "fp16_gflops"),
        type.getInt(memory, "int8_tops"),
        type.getInt(memory, "tensor_cores"));
  }

  @Override
  public PerfCounters counters(long context) {
    CStruct type = KabiStructs.PERF_COUNTERS;
    MemorySegment memory =
        control.call(ControlOp.PERF_COUNTERS, context).as(type, ControlOp.PERF_COUNTERS);
    return new PerfCounters(
        type.get(memory, "cycles_executed"),
        type.get(memory, "bytes_read"),
        type.get(memory, "bytes_written"),
        type.get(memory, "kernel_count"),
        type.get(memory, "page_faults"),
        type.get(memory, "memory_stall_ns"),
        type.get(memory, "execution_ns"),
        IntStream.range(0, 8).mapToObj(i -> type.at(memory, "vendor_counters", i)).toList());
  }
}
