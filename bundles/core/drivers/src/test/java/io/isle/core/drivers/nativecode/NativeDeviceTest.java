package io.isle.core.drivers.nativecode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.base.MonotonicClock;
import io.isle.api.device.Priority;
import io.isle.api.driver.AllocArgs;
import io.isle.api.driver.Allocation;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.ComputeReports;
import io.isle.api.driver.ContextArgs;
import io.isle.api.driver.DevicePort;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.DriverInfo;
import io.isle.api.driver.DriverLog;
import io.isle.api.driver.FaultInjection;
import io.isle.api.driver.Programs;
import io.isle.core.drivers.nativecode.host.Sandbox;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NativeDeviceTest {
  private static final long MEMORY = Ids.of(Ids.MEMORY, 1, 0);
  private static final long PROGRAM = Ids.of(Ids.PROGRAM, 1, 0);
  private static final byte[] NOOP = "noop".getBytes(StandardCharsets.UTF_8);

  @Test
  void aLibraryIsAskedWhoItIs() {
    NativeDriver driver =
        NativeDriver.look(
            SoftDevice.RUNTIME, SoftDevice.NATIVE.resolve("libsoftaccel.so"), line -> {});
    assertEquals("soft", driver.info().name());
    assertEquals(DriverInfo.KABI, driver.info().kabi());
    assertTrue(driver.info().settings().stream().anyMatch(s -> s.key().equals("memory_bytes")));
    assertEquals(1, driver.seeds().size());
  }

  @Test
  void aFileThatIsNoDriverIsRefusedWithTheReason() {
    DriverException refused =
        assertThrows(
            DriverException.class,
            () ->
                NativeDriver.look(
                    SoftDevice.RUNTIME, SoftDevice.NATIVE.resolve("driver-host"), line -> {}));
    assertFalse(refused.getMessage().isBlank());
  }

  @Test
  void aHostThatIsThereButCannotBeStartedNowIsNotSaidToBeMissing(@TempDir Path folder)
      throws Exception {
    Path host = Files.createFile(folder.resolve("driver-host"));
    DriverException failed =
        assertThrows(
            DriverException.class,
            () ->
                NativeDriver.look(
                    new NativeRuntime(folder, 50, Sandbox.DEFAULT),
                    SoftDevice.NATIVE.resolve("libsoftaccel.so"),
                    line -> {}));
    assertEquals(Errno.EIO, failed.code());
    assertTrue(failed.getMessage().startsWith("cannot start " + host), failed.getMessage());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aDriverThatTellsOfNoEndIsAsked(int tier) {
    Path library = SoftDevice.NATIVE.resolve("libpolled.so");
    try (SoftDevice soft = new SoftDevice(library, tier, Map.of())) {
      soft.context(0);
      Programs programs = soft.device.extension(Programs.class).orElseThrow();
      var ignored = programs.load(SoftDevice.CONTEXT, PROGRAM, Programs.Kind.BUILTIN, NOOP);
      for (int i = 0; i < 100; i++) {
        long tag = soft.dispatch(PROGRAM);
        soft.awaitEnded(i + 1);
        assertEquals(tag, soft.ended.getLast().tag());
        assertEquals(0, soft.ended.getLast().status());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void workGoesThroughAndMemoryIsSeen(int tier) {
    try (SoftDevice soft = new SoftDevice(tier, Map.of())) {
      assertEquals(tier == 2, soft.opened.hostPid().isPresent());
      assertTrue(soft.opened.services().contains("accel-compute"));
      soft.context(0);
      Allocation memory =
          soft.device.allocate(
              SoftDevice.CONTEXT,
              MEMORY,
              new AllocArgs(10_000, 4096, AllocArgs.PageSize.STANDARD, AllocArgs.CPU_VISIBLE));
      assertTrue(memory.size() >= 10_000);
      MemorySegment bytes = memory.cpu().orElseThrow();
      assertEquals(0, bytes.get(ValueLayout.JAVA_BYTE, 9_999));
      Programs programs = soft.device.extension(Programs.class).orElseThrow();
      var entries = programs.load(SoftDevice.CONTEXT, PROGRAM, Programs.Kind.BUILTIN, NOOP);
      assertEquals("noop", entries.getFirst().name());
      long tag = soft.dispatch(PROGRAM);
      soft.awaitEnded(1);
      assertEquals(tag, soft.ended.getFirst().tag());
      assertEquals(0, soft.ended.getFirst().status(), () -> soft.ended.toString());
      soft.device.free(MEMORY);
      assertEquals(1, soft.device.utilization().activeContexts());
      assertTrue(
          soft.device
                  .extension(ComputeReports.class)
                  .orElseThrow()
                  .counters(SoftDevice.CONTEXT)
                  .kernelCount()
              >= 1);
      soft.device.destroyContext(SoftDevice.CONTEXT);
      assertEquals(0, soft.device.utilization().activeContexts());
    }
  }

  /** It is there as soon as the driver has said it, in either tier. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void whatTheDriverWarnsOfIsKnown(int tier) {
    try (SoftDevice soft = new SoftDevice(tier, Map.of("max_contexts", "1"))) {
      DriverLog log = soft.device.extension(DriverLog.class).orElseThrow();
      long before = System.nanoTime();
      soft.context(0);
      assertEquals(Optional.empty(), log.newest(before, System.nanoTime()));
      assertThrows(
          DriverException.class,
          () ->
              soft.device.createContext(
                  SoftDevice.CONTEXT + 1, new ContextArgs(1, Priority.NORMAL, 0, 5_000_000, 0, 0)));
      assertEquals(Optional.of("max_contexts 1 reached"), log.newest(before, System.nanoTime()));
      assertEquals(Optional.empty(), log.newest(before - 2, before - 1));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void refusalsCarryTheirCode(int tier) {
    try (SoftDevice soft = new SoftDevice(tier, Map.of("memory_bytes", "1048576"))) {
      soft.context(0);
      AllocArgs tooMuch = new AllocArgs(2 << 20, 4096, AllocArgs.PageSize.STANDARD, 0);
      DriverException full =
          assertThrows(
              DriverException.class,
              () -> soft.device.allocate(SoftDevice.CONTEXT, MEMORY, tooMuch));
      assertEquals(Errno.ENOMEM, full.code());
      Programs programs = soft.device.extension(Programs.class).orElseThrow();
      byte[] unknown = "no-such-program".getBytes(StandardCharsets.UTF_8);
      DriverException missing =
          assertThrows(
              DriverException.class,
              () -> programs.load(SoftDevice.CONTEXT, PROGRAM, Programs.Kind.BUILTIN, unknown));
      assertEquals(Errno.ENOENT, missing.code());
      assertTrue(soft.device.extension(FaultInjection.class).isEmpty());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aCommandLongerThanTheDeviceTakesIsRefused(int tier) {
    try (SoftDevice soft = new SoftDevice(tier, Map.of("max_cmd_buffer_size", "256"))) {
      soft.context(0);
      assertEquals(256, soft.device.info().maxCommandBytes());
      long answer = soft.bytes(264);
      if (tier == 2) {
        soft.awaitEnded(1);
        assertEquals(CompletionSink.ERROR, soft.ended.getFirst().status());
        answer = soft.ended.getFirst().detail();
      }
      assertEquals(-Errno.EMSGSIZE, answer);
    }
  }

  @Test
  void aHostThatEndsIsNoticedAndItsCauseIsNamed() throws Exception {
    try (SoftDevice soft = new SoftDevice(2, Map.of("fault_injection", "true"))) {
      soft.context(0);
      Programs programs = soft.device.extension(Programs.class).orElseThrow();
      var ignored = programs.load(SoftDevice.CONTEXT, PROGRAM, Programs.Kind.BUILTIN, NOOP);
      soft.device
          .extension(FaultInjection.class)
          .orElseThrow()
          .inject(FaultInjection.Fault.SEGV, 0, 1, 0);
      assertTrue(soft.dispatch(PROGRAM) > 0);
      String why = soft.lost.get(60, TimeUnit.SECONDS);
      assertTrue(why.contains("signal 11") || why.contains("SIGSEGV"), why);
      assertFalse(soft.device.alive());
      DriverException gone =
          assertThrows(DriverException.class, () -> soft.device.resetContext(SoftDevice.CONTEXT));
      assertEquals(Errno.ENODEV, gone.code());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void theStartOfWorkIsToldWhileItRuns(int tier) {
    try (SoftDevice soft = new SoftDevice(tier, Map.of("fault_injection", "true"))) {
      soft.context(0);
      Programs programs = soft.device.extension(Programs.class).orElseThrow();
      var ignored = programs.load(SoftDevice.CONTEXT, PROGRAM, Programs.Kind.BUILTIN, NOOP);
      soft.device
          .extension(FaultInjection.class)
          .orElseThrow()
          .inject(FaultInjection.Fault.HANG, 0, 1, 0);
      long before = MonotonicClock.SYSTEM.nanoTime();
      long tag = soft.dispatch(PROGRAM);
      long start = soft.awaitStart(tag);
      assertTrue(start >= before && start <= MonotonicClock.SYSTEM.nanoTime(), start + " ns");
      assertTrue(soft.ended.isEmpty());
      soft.device.resetContext(SoftDevice.CONTEXT);
      soft.awaitEnded(1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aHostSaysWhatConfinesIt(int tier) {
    try (SoftDevice soft = new SoftDevice(tier, Map.of())) {
      List<String> lines = soft.opened.sandbox();
      assertEquals(tier == 1, lines.isEmpty());
      if (tier == 2) {
        assertTrue(lines.contains("profile: applied (compute)"), lines::toString);
        assertTrue(lines.contains("no-new-privileges: applied"), lines::toString);
        assertTrue(lines.contains("memory-limit: applied (4294967296 bytes)"), lines::toString);
        assertTrue(lines.stream().allMatch(line -> line.matches("[a-z-]+: (not )?applied.*")));
      }
    }
  }

  @Test
  void aHostThatIsKilledIsNoticed() throws Exception {
    try (SoftDevice soft = new SoftDevice(2, Map.of())) {
      ProcessHandle host = ProcessHandle.of(soft.opened.hostPid().orElseThrow()).orElseThrow();
      assertTrue(host.destroyForcibly());
      assertTrue(soft.lost.get(60, TimeUnit.SECONDS).contains("signal 9"));
    }
  }

  /** Contexts are closed in a loop while their work is in flight: what comes late is no breach. */
  @Test
  void aHostWhoseWorkIsGivenUpAgainAndAgainLivesOn() {
    try (SoftDevice soft = new SoftDevice(2, Map.of())) {
      soft.answer = -Errno.ESTALE;
      soft.context(0);
      Programs programs = soft.device.extension(Programs.class).orElseThrow();
      var ignored = programs.load(SoftDevice.CONTEXT, PROGRAM, Programs.Kind.BUILTIN, NOOP);
      int given = 2 * DevicePort.MAX_INFLIGHT + 100;
      for (int i = 1; i <= given; i++) {
        assertTrue(soft.dispatch(PROGRAM) > 0, "after " + i + " late completions");
        soft.awaitEnded(i);
      }
      assertTrue(soft.device.alive());
      assertFalse(soft.lost.isDone());
    }
  }

  /** What stands behind refused work in the ring must not start before it. */
  @Test
  void workComesBackInOrderWhenTheDriverIsFull() {
    int complete = 0;
    int refuse = 3;
    Path library = SoftDevice.NATIVE.resolve("libtestdriver.so");
    try (SoftDevice test = new SoftDevice(library, 2, Map.of())) {
      test.context(0);
      for (int round = 0; round < 3; round++) {
        test.ended.clear();
        List<Long> tags = List.of(test.vendor(refuse), test.vendor(complete));
        test.awaitEnded(2);
        tags.forEach(tag -> assertTrue(test.ended.contains(handedBack(tag)), test.ended::toString));
        long again = test.vendor(complete);
        test.awaitEnded(3);
        assertEquals(new SoftDevice.Ended(again, 0, 0, 0), test.ended.get(2));
      }
    }
  }

  private static SoftDevice.Ended handedBack(long tag) {
    return new SoftDevice.Ended(tag, CompletionSink.PREEMPTED, -Errno.EAGAIN, 0);
  }

  @Test
  void theHostEndsWithItsDevice() {
    ProcessHandle host;
    try (SoftDevice soft = new SoftDevice(2, Map.of())) {
      host = ProcessHandle.of(soft.opened.hostPid().orElseThrow()).orElseThrow();
    }
    assertFalse(host.isAlive());
  }

  @Test
  void aLibraryIsUnloadedAlthoughACallersThreadWasInterrupted(@TempDir Path folder)
      throws Exception {
    Path library = folder.resolve("libsoftaccel.so");
    Files.copy(SoftDevice.NATIVE.resolve("libsoftaccel.so"), library);
    SoftDevice soft = new SoftDevice(library, 1, Map.of());
    assertTrue(mapped(folder));
    Thread.currentThread().interrupt();
    try {
      soft.context(0);
    } catch (DriverException notAwaited) {
      assertFalse(soft.device.alive());
    }
    assertTrue(Thread.interrupted());
    soft.close();
    assertFalse(mapped(folder));
  }

  private static boolean mapped(Path folder) throws IOException {
    return Files.readString(Path.of("/proc/self/maps")).contains(folder.toString());
  }
}
