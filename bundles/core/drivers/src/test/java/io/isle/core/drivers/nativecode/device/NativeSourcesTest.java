package io.isle.core.drivers.nativecode.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.ProgramEntry;
import io.isle.api.driver.ProgramSources;
import io.isle.api.driver.ProgramSources.File;
import io.isle.api.driver.Programs;
import io.isle.core.drivers.nativecode.SoftDevice;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs of several files on native devices, in both tiers. */
class NativeSourcesTest {
  private static final long PROGRAM = Ids.of(Ids.PROGRAM, 1, 0);
  private static final String NOOP = "__kernel void noop() {}\n";

  private static SoftDevice open(int tier, String library) {
    SoftDevice soft = new SoftDevice(SoftDevice.NATIVE.resolve(library), tier, Map.of());
    soft.context(0);
    return soft;
  }

  private static List<ProgramEntry> load(
      SoftDevice soft, List<File> files, List<File> headers, String options) {
    return soft.device
        .extension(ProgramSources.class)
        .orElseThrow()
        .load(SoftDevice.CONTEXT, PROGRAM, files, headers, options);
  }

  private static File file(String name, String text) {
    return new File(name, text.getBytes(StandardCharsets.UTF_8));
  }

  /** A text of that many bytes, whose first line is what the others add up to. */
  private static File summed(String name, int length, String end) {
    StringBuilder rest = new StringBuilder();
    while (rest.length() < length - 18 - end.length()) {
      rest.append(rest.length() % 64 == 63 ? '\n' : (char) (' ' + rest.length() % 50));
    }
    rest.append(end);
    long sum = rest.chars().asLongStream().sum();
    return file(name, "// sum " + String.format("%010d", sum) + "\n" + rest);
  }

  private static void refused(int code, String text, Runnable call) {
    DriverException refusal = assertThrows(DriverException.class, call::run);
    assertEquals(code, refusal.code(), refusal.getMessage());
    assertTrue(refusal.getMessage().contains(text), refusal.getMessage());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void filesOfAnyNumberAndLengthArriveWholeAndRun(int tier) throws IOException {
    try (SoftDevice soft = open(tier, "libcompiler.so")) {
      int[][] shapes = {{1, 100}, {3, 20_000}, {3, 30_000}, {4, 1 << 20}, {64, 1 << 16}};
      int ended = 0;
      for (int[] shape : shapes) {
        List<File> files = List.of(summed("a/\u00fc.cl", shape[1], NOOP));
        List<File> headers =
            IntStream.range(1, shape[0]).mapToObj(i -> summed("h" + i, shape[1], "")).toList();
        assertEquals("noop", load(soft, files, headers, "-DX").getFirst().name());
        assertTrue(soft.dispatch(PROGRAM) > 0);
        soft.awaitEnded(++ended);
        assertEquals(0, soft.ended.getLast().status(), soft.ended::toString);
        soft.device.extension(Programs.class).orElseThrow().unload(PROGRAM);
        File last = headers.isEmpty() ? files.getLast() : headers.getLast();
        last.text()[30]++;
        refused(
            Errno.EINVAL,
            last.name() + ":1:1: error: the bytes do not add up",
            () -> load(soft, files, headers, "-DX"));
      }
      assertEquals(0, mapped("isle-source"), "what carried the files is gone");
    }
  }

  private static long mapped(String name) throws IOException {
    return Files.readString(Path.of("/proc/self/maps"))
        .lines()
        .filter(line -> line.contains(name))
        .count();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void refusalsNameTheirReason(int tier) {
    try (SoftDevice soft = open(tier, "libcompiler.so")) {
      List<File> good = List.of(file("a.cl", NOOP));
      refused(
          Errno.EINVAL,
          "a.cl:1:1: error: b.h",
          () -> load(soft, List.of(file("a.cl", "#include \"b.h\"\n" + NOOP)), List.of(), ""));
      refused(Errno.EINVAL, "unknown option -x", () -> load(soft, good, List.of(), "-x"));
      refused(
          Errno.EMSGSIZE,
          "files: 65",
          () -> load(soft, good, Collections.nCopies(64, file("h", "")), ""));
      refused(
          Errno.EMSGSIZE,
          "h: 1048577",
          () -> load(soft, good, List.of(file("h", "x".repeat((1 << 20) + 1))), ""));
      refused(
          Errno.EMSGSIZE,
          "name: 256",
          () -> load(soft, good, List.of(file("h".repeat(256), "")), ""));
      refused(Errno.EINVAL, "", () -> load(soft, good, List.of(file("../h", "")), ""));
      refused(Errno.EINVAL, "", () -> load(soft, List.of(), good, ""));
      assertEquals("noop", load(soft, good, List.of(), "").getFirst().name());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aDriverWithoutTheEntryHasNoSuchExtension(int tier) {
    try (SoftDevice soft = open(tier, "libsoftaccel.so")) {
      assertEquals(Optional.empty(), soft.device.extension(ProgramSources.class));
    }
  }
}
