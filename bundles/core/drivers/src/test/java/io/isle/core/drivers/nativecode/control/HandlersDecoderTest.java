package io.isle.core.drivers.nativecode.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.HpuCaps;
import io.isle.api.driver.HpuLimits;
import io.isle.api.driver.HpuReport;
import io.isle.lib.kabi.CStruct;
import io.isle.lib.kabi.SpinStructs;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Function;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** What hosts say of their HPUs: what can be, and anything else. */
class HandlersDecoderTest {
  private static final CStruct CAPS = SpinStructs.HPU_CAPS;
  private static final CStruct REPORT = SpinStructs.HPU_REPORT;

  private static MemorySegment caps() {
    MemorySegment memory = MemorySegment.ofArray(new byte[(int) CAPS.size()]);
    long[] values = {1, 2, 8, 16, 262_144, 1536, 40, 5000, 1000, 16, 0};
    for (int i = 0; i < values.length; i++) {
      CAPS.set(memory, CAPS.fields().get(i).name(), values[i]);
    }
    return memory;
  }

  private static MemorySegment report() {
    MemorySegment memory = MemorySegment.ofArray(new byte[(int) REPORT.size()]);
    long[] values = {1, 6, 1, 4, 2, 15, 0xffff_fff0L, 0, -8, 30, 20, 10};
    for (int i = 0; i < values.length; i++) {
      REPORT.set(memory, REPORT.fields().get(i).name(), values[i]);
    }
    return memory;
  }

  @Test
  void goodAnswersArriveWhole() {
    assertEquals(
        new HpuCaps(1, 2, 8, 16, 262_144, 1536, 40, new HpuLimits(5000, 1000, 16, 0)),
        HandlersDecoder.caps(caps()));
    assertEquals(16, HandlersDecoder.caps(caps()).hpus());
    assertEquals(
        new HpuReport(
            true, 6, true, Optional.of(new HpuReport.Trap(4, 2, 15, 0xffff_fff0L, -8)), 30, 20, 10),
        HandlersDecoder.report(report()));
    MemorySegment none = MemorySegment.ofArray(new byte[(int) REPORT.size()]);
    assertEquals(
        new HpuReport(false, 0, false, Optional.empty(), 0, 0, 0), HandlersDecoder.report(none));
  }

  private static void wrong(
      CStruct type, MemorySegment memory, String field, long value, Function<MemorySegment, ?> of) {
    type.set(memory, field, value);
    DriverException refused = assertThrows(DriverException.class, () -> of.apply(memory), field);
    assertEquals(Errno.EPROTO, refused.code());
    assertTrue(refused.getMessage().contains(field), refused.getMessage());
  }

  @Test
  void fieldsThatCannotBeAreNamed() {
    Object[][] caps = {
      {"version", 2},
      {"clusters", 3},
      {"cores", 7},
      {"queues", 17},
      {"program_bytes", 0},
      {"frame_bytes", 1537},
      {"hpu_mhz", 0},
      {"handler_limit_us", 0},
      {"host_wait_ms", 3_600_001},
      {"trap_limit", -1},
      {"hpu_spin_us", 1_000_001}
    };
    assertEquals(CAPS.fields().size(), caps.length);
    for (Object[] each : caps) {
      wrong(CAPS, caps(), (String) each[0], (int) each[1], HandlersDecoder::caps);
    }
    Object[][] report = {
      {"attached", 2},
      {"handlers", 8},
      {"stopped", 2},
      {"cause", 11},
      {"handler", 3},
      {"hpu", 16},
      {"tasks", -1},
      {"traps", -1},
      {"refused", -1}
    };
    for (Object[] each : report) {
      wrong(REPORT, report(), (String) each[0], (int) each[1], HandlersDecoder::report);
    }
  }

  /** Any bytes are an answer that can be, or a refusal of the protocol. */
  @Property
  void anyBytesAreReadOrRefused(@ForAll @Size(80) byte[] bytes) {
    MemorySegment memory = MemorySegment.ofArray(bytes);
    try {
      HpuReport read = HandlersDecoder.report(memory);
      assertTrue(read.tasks() >= 0 && read.traps() >= 0 && read.refused() >= 0);
      assertTrue(read.trap().map(trap -> trap.hpu() < SpinStructs.HPUS).orElse(true));
    } catch (DriverException e) {
      assertEquals(Errno.EPROTO, e.code());
    }
    try {
      assertEquals(SpinStructs.HPUS, HandlersDecoder.caps(memory).hpus());
    } catch (DriverException e) {
      assertEquals(Errno.EPROTO, e.code());
    }
  }
}
