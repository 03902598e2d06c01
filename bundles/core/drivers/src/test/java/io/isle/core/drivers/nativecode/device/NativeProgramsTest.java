package io.isle.core.drivers.nativecode.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.Programs;
import io.isle.api.driver.Programs.Kind;
import io.isle.core.drivers.nativecode.SoftDevice;
import io.isle.lib.kabi.WireStructs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs from source on native devices, in both tiers. */
class NativeProgramsTest {
  private static final long PROGRAM = Ids.of(Ids.PROGRAM, 1, 0);
  private static final String NOOP = "__kernel void noop() {}\n";

  private static SoftDevice open(int tier) {
    SoftDevice soft = new SoftDevice(SoftDevice.NATIVE.resolve("libcompiler.so"), tier, Map.of());
    soft.context(0);
    return soft;
  }

  private static Programs programs(SoftDevice soft) {
    return soft.device.extension(Programs.class).orElseThrow();
  }

  /** A source of that many bytes, whose first line is what the others add up to. */
  private static byte[] source(int length) {
    String first = "// sum 0000000000\n";
    StringBuilder rest = new StringBuilder();
    while (rest.length() < length - first.length() - NOOP.length()) {
      rest.append(rest.length() % 64 == 63 ? '\n' : (char) (' ' + rest.length() % 50));
    }
    rest.append(NOOP);
    long sum = rest.chars().asLongStream().sum();
    return ("// sum " + String.format("%010d", sum) + "\n" + rest).getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void sourcesOfAnyLengthArriveWholeAndRun(int tier) throws IOException {
    try (SoftDevice soft = open(tier)) {
      Programs programs = programs(soft);
      assertEquals(Set.of(Kind.BUILTIN, Kind.OPENCL_C, Kind.SPIRV), programs.kinds());
      int[] lengths = {
        100,
        NativePrograms.MAX_INLINE,
        NativePrograms.MAX_INLINE + 1,
        65_536,
        WireStructs.SOURCE_MAX
      };
      int ended = 0;
      for (int length : lengths) {
        byte[] source = source(length);
        assertEquals(length, source.length);
        var entries = programs.load(SoftDevice.CONTEXT, PROGRAM, Kind.OPENCL_C, source, "-DX");
        assertEquals("noop", entries.getFirst().name());
        assertTrue(soft.dispatch(PROGRAM) > 0);
        soft.awaitEnded(++ended);
        assertEquals(0, soft.ended.getLast().status(), soft.ended::toString);
        programs.unload(PROGRAM);
        source[length - 2]++;
        refused(
            Errno.EINVAL,
            "do not add up",
            () -> programs.load(SoftDevice.CONTEXT, PROGRAM, Kind.OPENCL_C, source));
      }
      assertEquals(0, mapped("isle-source"), "what carried a source is gone");
    }
  }

  private static long mapped(String name) throws IOException {
    return Files.readString(Path.of("/proc/self/maps"))
        .lines()
        .filter(l -> l.contains(name))
        .count();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void refusalsNameTheirReason(int tier) {
    try (SoftDevice soft = open(tier)) {
      Programs programs = programs(soft);
      byte[] noop = NOOP.getBytes(StandardCharsets.UTF_8);
      refused(
          Errno.EMSGSIZE,
          "source: 1048577",
          () -> load(programs, Kind.OPENCL_C, new byte[WireStructs.SOURCE_MAX + 1], ""));
      refused(Errno.EINVAL, "source", () -> load(programs, Kind.OPENCL_C, new byte[0], ""));
      refused(
          Errno.EMSGSIZE,
          "options: 4097",
          () -> load(programs, Kind.OPENCL_C, noop, "-D" + "x".repeat(4095)));
      refused(Errno.EINVAL, "unknown option -x", () -> load(programs, Kind.OPENCL_C, noop, "-x"));
      refused(Errno.ENOTSUP, "", () -> load(programs, Kind.PTX, noop, ""));
      refused(Errno.EINVAL, "no SPIR-V", () -> load(programs, Kind.SPIRV, noop, ""));
      byte[] full = "// full log".getBytes(StandardCharsets.UTF_8);
      refused(Errno.EINVAL, "x".repeat(16_383), () -> load(programs, Kind.OPENCL_C, full, ""));
      load(programs, Kind.OPENCL_C, noop, "-D" + "x".repeat(4094));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aProgramWithoutAKernelForDispatchesIsRefusedAndUnloaded(int tier) {
    try (SoftDevice soft = open(tier)) {
      Programs programs = programs(soft);
      byte[] launch = ("// launch only\n" + NOOP).getBytes(StandardCharsets.UTF_8);
      refused(
          Errno.EINVAL, "at most 16 arguments", () -> load(programs, Kind.OPENCL_C, launch, ""));
      load(programs, Kind.OPENCL_C, NOOP.getBytes(StandardCharsets.UTF_8), "");
    }
  }

  private static void load(Programs programs, Kind kind, byte[] source, String options) {
    var ignored = programs.load(SoftDevice.CONTEXT, PROGRAM, kind, source, options);
  }

  @Test
  void aDriverWithoutBuildOptionsTakesNone() {
    try (SoftDevice soft = new SoftDevice(2, Map.of())) {
      soft.context(0);
      assertEquals(Set.of(Kind.BUILTIN), programs(soft).kinds());
      byte[] noop = "noop".getBytes(StandardCharsets.UTF_8);
      refused(
          Errno.ENOTSUP, "no build options", () -> load(programs(soft), Kind.BUILTIN, noop, "-DX"));
      load(programs(soft), Kind.BUILTIN, noop, "");
    }
  }

  private static void refused(int code, String text, Runnable call) {
    DriverException refusal = assertThrows(DriverException.class, call::run);
    assertEquals(code, refusal.code(), refusal.getMessage());
    assertTrue(refusal.getMessage().contains(text), refusal.getMessage());
  }
}
