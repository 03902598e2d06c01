package io.isle.core.drivers.nativecode.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.lib.kabi.CStruct;
import io.isle.lib.kabi.KabiStructs;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Figures that no device can have are refused, field by field; the largest that one may have is
 * taken.
 */
class DecoderTest {
  private static final long TIB_16 = 1L << 44;
  private static final long COUNT = 1L << 56;
  private static final long CONTEXTS = 1 << 16;
  private static final long U31 = Integer.MAX_VALUE;
  private static final long MEGAWATT = 1_000_000_000;
  private static final Map<String, Long> POSSIBLE =
      Map.of("compute_units", 1L, "max_contexts", 1L, "max_cmd_buffer_size", 64L);

  private static List<Arguments> largest() {
    Function<MemorySegment, Object> info = Decoder::info;
    Function<MemorySegment, Object> load = Decoder::utilization;
    Function<MemorySegment, Object> power = Decoder::power;
    Function<MemorySegment, Object> health = Decoder::health;
    Function<MemorySegment, Object> caps = Decoder::caps;
    Function<MemorySegment, Object> counters = Decoder::counters;
    return List.of(
        Arguments.of(KabiStructs.DEVICE_INFO, info, "compute_units", 1L << 20),
        Arguments.of(KabiStructs.DEVICE_INFO, info, "local_memory_bytes", TIB_16),
        Arguments.of(KabiStructs.DEVICE_INFO, info, "max_contexts", CONTEXTS),
        Arguments.of(KabiStructs.DEVICE_INFO, info, "max_cmd_buffer_size", 16L << 20),
        Arguments.of(KabiStructs.UTILIZATION, load, "compute_percent", 100L),
        Arguments.of(KabiStructs.UTILIZATION, load, "memory_bw_percent", 100L),
        Arguments.of(KabiStructs.UTILIZATION, load, "memory_used_bytes", TIB_16),
        Arguments.of(KabiStructs.UTILIZATION, load, "memory_total_bytes", TIB_16),
        Arguments.of(KabiStructs.UTILIZATION, load, "active_contexts", CONTEXTS),
        Arguments.of(KabiStructs.UTILIZATION, load, "temperature_mc", 1_000_000L),
        Arguments.of(KabiStructs.UTILIZATION, load, "power_mw", MEGAWATT),
        Arguments.of(KabiStructs.UTILIZATION, load, "clock_mhz", 1_000_000L),
        Arguments.of(KabiStructs.POWER_STATE, power, "temperature_mc", 1_000_000L),
        Arguments.of(KabiStructs.POWER_STATE, power, "power_mw", MEGAWATT),
        Arguments.of(KabiStructs.POWER_STATE, power, "power_limit_mw", MEGAWATT),
        Arguments.of(KabiStructs.POWER_STATE, power, "clock_mhz", 1_000_000L),
        Arguments.of(KabiStructs.HEALTH, health, "temperature_mc", 1_000_000L),
        Arguments.of(KabiStructs.HEALTH, health, "power_mw", MEGAWATT),
        Arguments.of(KabiStructs.HEALTH, health, "ecc_correctable", COUNT),
        Arguments.of(KabiStructs.HEALTH, health, "ecc_uncorrectable", COUNT),
        Arguments.of(KabiStructs.HEALTH, health, "throttle_count", U31),
        Arguments.of(KabiStructs.HEALTH, health, "pcie_replay_count", U31),
        Arguments.of(KabiStructs.COMPUTE_CAPS, caps, "max_workgroup_size", U31),
        Arguments.of(KabiStructs.COMPUTE_CAPS, caps, "max_local_memory", U31),
        Arguments.of(KabiStructs.COMPUTE_CAPS, caps, "shader_cores", U31),
        Arguments.of(KabiStructs.COMPUTE_CAPS, caps, "fp32_gflops", U31),
        Arguments.of(KabiStructs.COMPUTE_CAPS, caps, "fp16_gflops", U31),
        Arguments.of(KabiStructs.COMPUTE_CAPS, caps, "int8_tops", U31),
        Arguments.of(KabiStructs.COMPUTE_CAPS, caps, "tensor_cores", U31),
        Arguments.of(KabiStructs.PERF_COUNTERS, counters, "cycles_executed", COUNT),
        Arguments.of(KabiStructs.PERF_COUNTERS, counters, "bytes_read", COUNT),
        Arguments.of(KabiStructs.PERF_COUNTERS, counters, "bytes_written", COUNT),
        Arguments.of(KabiStructs.PERF_COUNTERS, counters, "kernel_count", COUNT),
        Arguments.of(KabiStructs.PERF_COUNTERS, counters, "page_faults", COUNT),
        Arguments.of(KabiStructs.PERF_COUNTERS, counters, "memory_stall_ns", COUNT),
        Arguments.of(KabiStructs.PERF_COUNTERS, counters, "execution_ns", COUNT));
  }

  @ParameterizedTest(name = "{2}")
  @MethodSource("largest")
  void theLargestFigureIsTakenAndNothingAboveIt(
      CStruct type, Function<MemorySegment, Object> decode, String field, long most) {
    MemorySegment memory = MemorySegment.ofArray(new byte[(int) type.size()]);
    type.fields().stream()
        .map(CStruct.Field::name)
        .filter(POSSIBLE::containsKey)
        .forEach(name -> type.set(memory, name, POSSIBLE.get(name)));
    type.set(memory, field, most);
    assertTrue(decode.apply(memory).toString().contains("=" + most));
    for (long beyond : new long[] {most + 1, Long.MIN_VALUE | most + 1}) {
      type.set(memory, field, beyond);
      DriverException refused =
          assertThrows(DriverException.class, () -> decode.apply(memory), field + " = " + beyond);
      assertEquals(Errno.EPROTO, refused.code());
      assertTrue(refused.getMessage().contains(field + " = "), refused.getMessage());
    }
  }
}
