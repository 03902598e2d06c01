package io.isle.core.drivers.nativecode.control;

import io.isle.api.driver.HpuCaps;
import io.isle.api.driver.HpuLimits;
import io.isle.api.driver.HpuReport;
import io.isle.lib.kabi.CStruct;
import io.isle.lib.kabi.SpinStructs;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Reads what a driver says of its HPUs, hostile answers too. A bad one is an EPROTO that names the
 * field.
 */
public final class HandlersDecoder {
  private static final int ALL_HANDLERS = 7;
  private static final int MAX_MEGAHERTZ = 1_000_000;

  private HandlersDecoder() {}

  /** The memory that NIC and HPUs share has one form, so a driver with other numbers has none. */
  public static HpuCaps caps(MemorySegment memory) {
    CStruct type = SpinStructs.HPU_CAPS;
    return new HpuCaps(
        only(type, memory, "version", SpinStructs.VERSION),
        only(type, memory, "clusters", SpinStructs.CLUSTERS),
        only(type, memory, "cores", SpinStructs.CORES),
        only(type, memory, "queues", SpinStructs.QUEUES),
        Decoder.longRange("program_bytes", type.get(memory, "program_bytes"), 1, 1L << 32),
        only(type, memory, "frame_bytes", SpinStructs.FRAME),
        range(type, memory, "hpu_mhz", 1, MAX_MEGAHERTZ),
        new HpuLimits(
            range(type, memory, "handler_limit_us", 1, HpuLimits.MAX_HANDLER_MICROS),
            range(type, memory, "host_wait_ms", 0, HpuLimits.MAX_HOST_WAIT_MILLIS),
            range(type, memory, "trap_limit", 0, Integer.MAX_VALUE),
            range(type, memory, "hpu_spin_us", 0, HpuLimits.MAX_SPIN_MICROS)));
  }

  public static HpuReport report(MemorySegment memory) {
    CStruct type = SpinStructs.HPU_REPORT;
    return new HpuReport(
        range(type, memory, "attached", 0, 1) == 1,
        range(type, memory, "handlers", 0, ALL_HANDLERS),
        range(type, memory, "stopped", 0, 1) == 1,
        trap(type, memory),
        count(type, memory, "tasks"),
        count(type, memory, "traps"),
        count(type, memory, "refused"));
  }

  private static Optional<HpuReport.Trap> trap(CStruct type, MemorySegment memory) {
    int cause = range(type, memory, "cause", 0, SpinStructs.CAUSE_STOPPED);
    int handler = range(type, memory, "handler", 0, SpinStructs.HANDLER_TAIL);
    int hpu = range(type, memory, "hpu", 0, SpinStructs.HPUS - 1);
    return cause == 0
        ? Optional.empty()
        : Optional.of(
            new HpuReport.Trap(
                cause, handler, hpu, type.get(memory, "instruction"), type.get(memory, "address")));
  }

  private static int only(CStruct type, MemorySegment memory, String field, int value) {
    return range(type, memory, field, value, value);
  }

  private static int range(CStruct type, MemorySegment memory, String field, int least, int most) {
    return Decoder.range(field, type.get(memory, field), least, most);
  }

  private static long count(CStruct type, MemorySegment memory, String field) {
    return Decoder.longRange(field, type.get(memory, field), 0, Decoder.MAX_COUNT);
  }
}
