package io.isle.core.drivers.supervision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.base.Setting;
import io.isle.api.device.DeviceState;
import io.isle.api.device.HostFault;
import io.isle.api.device.Priority;
import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.ContextArgs;
import io.isle.api.driver.DeviceRegistry.DeviceReport;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.FaultInjection;
import io.isle.api.driver.FaultInjection.Fault;
import io.isle.api.driver.Programs;
import io.isle.core.drivers.driver.DriverHandle;
import io.isle.core.drivers.driver.Versions;
import io.isle.core.drivers.nativecode.Dispatch;
import io.isle.core.drivers.nativecode.NativeDriver;
import io.isle.core.drivers.nativecode.NativeRuntime;
import io.isle.core.drivers.nativecode.host.Sandbox;
import io.isle.core.drivers.recovery.DriverTuning;
import io.isle.core.drivers.versions.NativeHandle;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Real driver hosts that die in every way; a context is made anew on each next one and works. */
class HostRecoveryTest {
  private static final Path NATIVE = Path.of(System.getProperty("isle.native"));
  private static final NativeDriver DRIVER =
      NativeDriver.look(
          new NativeRuntime(NATIVE, 50, Sandbox.DEFAULT),
          NATIVE.resolve("libsoftaccel.so"),
          line -> {});
  private static final DriverHandle HANDLE =
      new NativeHandle(DRIVER, "test", "", () -> {}, Versions.NONE);
  private static final long CONTEXT = Ids.of(Ids.CONTEXT, 1, 0);
  private static final long PROGRAM = Ids.of(Ids.PROGRAM, 1, 0);
  private static final byte[] NOOP = "noop".getBytes(StandardCharsets.UTF_8);

  private final Rig rig =
      new Rig(
          new DriverTuning(
              true,
              Duration.ofMillis(200),
              Duration.ofMillis(300),
              Duration.ofSeconds(60),
              Rig.QUICK.supervision()));
  private final DeviceSupervisor device = rig.supervisor();
  private AccelDevice open;
  private int next;

  @AfterEach
  void close() {
    device.remove().join();
    rig.close();
  }

  private static DeviceSpec spec(int tier) {
    return Rig.spec(tier, settings("true"));
  }

  private static Map<String, String> settings(String faults) {
    Map<String, String> values = new HashMap<>();
    for (Setting setting : DRIVER.info().settings()) {
      values.put(setting.key(), setting.normalise(setting.defaultValue()));
    }
    values.put("fault_injection", faults);
    return values;
  }

  /** Opens it with a context that survives; returns when its standby is ready. */
  private DeviceReport opened() throws InterruptedException {
    rig.rebuilding =
        now -> {
          open = now;
          now.createContext(CONTEXT, new ContextArgs(1, Priority.NORMAL, 0, 5_000_000, 0, 0));
          var ignored =
              now.extension(Programs.class)
                  .orElseThrow()
                  .load(CONTEXT, PROGRAM, Programs.Kind.BUILTIN, NOOP);
        };
    device.apply(HANDLE, spec(2)).join();
    return warm(1);
  }

  private DeviceReport warm(int epoch) throws InterruptedException {
    return rig.await(
        report ->
            report.state() == DeviceState.ACTIVE
                && report.epoch() == epoch
                && report.standbyPid().isPresent());
  }

  private long dispatch() {
    long at = (next++ & 63) * 4096L;
    int length = Dispatch.write(rig.attachment().commands().memory(), at, PROGRAM);
    long tag = 1L << 32 | (next & 1023);
    assertEquals(
        0, open.submit(CONTEXT, tag, rig.attachment().commands().memory(), at, length), "submit");
    return tag;
  }

  /** The context works on the host of now. */
  private void works() {
    Map<Long, Integer> ended = new HashMap<>();
    rig.attachment().sink =
        (tag, status, start, end, busy, detail) -> {
          ended.put(tag, status);
          return 0;
        };
    long tag = dispatch();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (ended.isEmpty() && System.nanoTime() < deadline) {
      int ignored = open.poll(8);
      Thread.onSpinWait();
    }
    assertEquals(Map.of(tag, 0), ended);
  }

  private void crash(Fault fault) {
    open.extension(FaultInjection.class).orElseThrow().inject(fault, 0, 1, 0);
    long ignored = dispatch();
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"SEGV", "ABORT", "EXIT"})
  void aHostThatDiesIsReplacedByItsStandby(Fault fault) throws Exception {
    DeviceReport before = opened();
    crash(fault);
    DeviceReport after = warm(2);
    assertEquals(before.standbyPid(), after.hostPid());
    assertNotEquals(before.standbyPid(), after.standbyPid());
    works();
    Recovery recovery = rig.book.of("x0").getFirst();
    assertEquals(RecoveryCause.Kind.CRASH, recovery.cause().kind(), recovery.cause().text());
    assertEquals(Recovery.Outcome.RECOVERED, recovery.outcome());
    assertEquals(
        List.of(
            Recovery.Phase.FREEZE,
            Recovery.Phase.FAIL,
            Recovery.Phase.REVOKE,
            Recovery.Phase.RESET,
            Recovery.Phase.OPEN,
            Recovery.Phase.REBUILD,
            Recovery.Phase.THAW),
        recovery.phases().stream().map(Recovery.PhaseTime::phase).toList());
    assertTrue(recovery.standby());
    assertEquals(
        List.of(1, 2, 1), List.of(recovery.fromEpoch(), recovery.toEpoch(), recovery.attempts()));
    assertFalse(ProcessHandle.of(before.hostPid().orElseThrow()).isPresent());
  }

  @ParameterizedTest
  @CsvSource({"9,signal 9", "15,signal 15"})
  void aHostThatIsKilledIsReplaced(int signal, String text) throws Exception {
    DeviceReport before = opened();
    assertEquals(
        0,
        new ProcessBuilder("kill", "-" + signal, before.hostPid().orElseThrow().toString())
            .start()
            .waitFor());
    DeviceReport after = warm(2);
    assertEquals(before.standbyPid(), after.hostPid());
    works();
    RecoveryCause cause = rig.book.of("x0").getFirst().cause();
    assertTrue(cause.text().contains(text), cause.text());
    assertEquals(signal, cause.signal());
    assertEquals(signal == 9, cause.killed());
  }

  @Test
  void aHostThatLeavesRequestsLyingIsKilledAndReplaced() throws Exception {
    DeviceReport before = opened();
    rig.background.every(Duration.ofMillis(20), rig.watch::look);
    device.injectFault(HostFault.STOP).join();
    long ignored = dispatch();
    DeviceReport after = warm(2);
    assertEquals(before.standbyPid(), after.hostPid());
    works();
    assertEquals(RecoveryCause.Kind.HANG, rig.book.of("x0").getFirst().cause().kind());
  }

  @Test
  void aHostThatIsStoppedIsFoundByAControlCallToo() throws Exception {
    DeviceReport before = opened();
    rig.background.every(Duration.ofMillis(20), rig.watch::look);
    AccelDevice stopped = open;
    device.injectFault(HostFault.STOP).join();
    assertThrows(DriverException.class, stopped::utilization);
    assertEquals(before.standbyPid(), warm(2).hostPid());
    works();
    RecoveryCause cause = rig.book.of("x0").getFirst().cause();
    assertEquals(RecoveryCause.Kind.HANG, cause.kind());
    assertTrue(cause.text().endsWith(" ms with work or a control call to do"), cause.text());
  }

  @Test
  void aHostThatIsStoppedIsFoundByWorkThatItHasReadAlready() throws Exception {
    DeviceReport before = opened();
    rig.background.every(Duration.ofMillis(20), rig.watch::look);
    crash(Fault.LOST_COMPLETION);
    works();
    device.injectFault(HostFault.STOP).join();
    assertEquals(before.standbyPid(), warm(2).hostPid());
    works();
    RecoveryCause cause = rig.book.of("x0").getFirst().cause();
    assertEquals(RecoveryCause.Kind.HANG, cause.kind());
    assertTrue(cause.text().endsWith(" ms with work or a control call to do"), cause.text());
  }

  @Test
  void aHostIsHarmedOnRequestWhereFaultsAreAllowed() throws Exception {
    DeviceReport before = opened();
    device.injectFault(HostFault.KILL).join();
    assertEquals(before.standbyPid(), warm(2).hostPid());
    assertTrue(rig.book.of("x0").getFirst().cause().text().contains("signal 9"));

    device.apply(HANDLE, spec(1)).join();
    assertEquals(Errno.ENOTSUP, refusal(), "no process");
    device.apply(HANDLE, Rig.spec(2, settings("false"))).join();
    assertEquals(Errno.ENOTSUP, refusal(), "no faults");
    device
        .apply(
            HANDLE, new DeviceSpec("x0", Rig.spec(2, Map.of()).seed(), 2, false, settings("true")))
        .join();
    assertEquals(Errno.ENODEV, refusal(), "not open");
  }

  private int refusal() {
    CompletionException e =
        assertThrows(CompletionException.class, () -> device.injectFault(HostFault.STOP).join());
    return ((DriverException) e.getCause()).code();
  }

  @Test
  void aStandbyThatDiesIsReplacedAndTheDeviceDoesNotNotice() throws Exception {
    DeviceReport before = opened();
    assertTrue(ProcessHandle.of(before.standbyPid().orElseThrow()).orElseThrow().destroyForcibly());
    DeviceReport after =
        rig.await(
            report ->
                report.standbyPid().isPresent()
                    && !report.standbyPid().equals(before.standbyPid()));
    assertEquals(before.hostPid(), after.hostPid());
    assertEquals(List.of(), rig.book.of("x0"));
    works();
  }

  @Test
  void aBurstOfCrashesIsSurvived() throws Exception {
    DeviceReport ignored = opened();
    for (int epoch = 1; epoch <= 5; epoch++) {
      crash(Fault.SEGV);
      int now = epoch + 1;
      ignored = rig.await(report -> report.state() == DeviceState.ACTIVE && report.epoch() == now);
      works();
    }
    assertEquals(5, rig.book.of("x0").size());
  }

  @Test
  void recoveriesLeaveNoDescriptorMappingProcessOrThread() throws Exception {
    DeviceReport ignored = opened();
    crash(Fault.SEGV);
    ignored = warm(2);
    List<Long> before = held();
    for (int epoch = 3; epoch <= 12; epoch++) {
      crash(epoch % 2 == 0 ? Fault.ABORT : Fault.EXIT);
      ignored = warm(epoch);
    }
    List<Long> after = held();
    // what was shared with a host that is gone is unmapped in the background
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (isMore(after, before) && System.nanoTime() < deadline) {
      Thread.onSpinWait();
      after = held();
    }
    assertFalse(
        isMore(after, before),
        "descriptors, mappings of ours, children, threads of hosts: " + before + ", " + after);
  }

  /** What an earlier test shared may go meanwhile: fewer is no leak. */
  private static boolean isMore(List<Long> after, List<Long> before) {
    return IntStream.range(0, before.size()).anyMatch(i -> after.get(i) > before.get(i));
  }

  private static List<Long> held() throws IOException {
    try (var descriptors = Files.list(Path.of("/proc/self/fd"));
        var mappings = Files.lines(Path.of("/proc/self/maps"))) {
      return List.of(
          descriptors.filter(Files::isSymbolicLink).count(),
          mappings.filter(line -> line.contains("/memfd:isle-")).count(),
          ProcessHandle.current().children().count(),
          Thread.getAllStackTraces().keySet().stream()
              .filter(thread -> thread.getName().startsWith("isle-host-"))
              .count());
    }
  }
}
