package io.isle.core.drivers.supervision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.base.Setting;
import io.isle.api.device.DeviceHost;
import io.isle.api.device.DeviceState;
import io.isle.api.device.HostFault;
import io.isle.api.device.Isolation;
import io.isle.api.device.Priority;
import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.ContextArgs;
import io.isle.api.driver.DeviceRegistry.DeviceReport;
import io.isle.api.driver.DeviceRegistry.DeviceSpec;
import io.isle.api.driver.DeviceSession;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.GroupIsolation;
import io.isle.api.driver.Programs;
import io.isle.api.driver.RecoveryParticipant;
import io.isle.api.driver.Vitals;
import io.isle.core.drivers.driver.DriverHandle;
import io.isle.core.drivers.driver.Versions;
import io.isle.core.drivers.nativecode.Dispatch;
import io.isle.core.drivers.nativecode.NativeDriver;
import io.isle.core.drivers.nativecode.NativeRuntime;
import io.isle.core.drivers.nativecode.host.Sandbox;
import io.isle.core.drivers.recovery.DriverTuning;
import io.isle.core.drivers.versions.NativeHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real driver hosts, one a group: what becomes of one does not concern the others. */
@Timeout(120)
class GroupHostRecoveryTest {
  private static final Path NATIVE = Path.of(System.getProperty("isle.native"));
  private static final NativeDriver DRIVER =
      NativeDriver.look(
          new NativeRuntime(NATIVE, 50, Sandbox.DEFAULT),
          NATIVE.resolve("libsoftaccel.so"),
          line -> {});
  private static final DriverHandle HANDLE =
      new NativeHandle(DRIVER, "test", "", () -> {}, Versions.NONE);
  private static final byte[] NOOP = "noop".getBytes(StandardCharsets.UTF_8);
  private static final Map<String, Integer> GROUPS =
      new TreeMap<>(Map.of("default", 0, "a", 1, "b", 2));

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

  private static DeviceSpec spec(Isolation isolation, boolean inProcess) {
    Map<String, String> values = new HashMap<>();
    for (Setting setting : DRIVER.info().settings()) {
      values.put(setting.key(), setting.normalise(setting.defaultValue()));
    }
    values.put("fault_injection", "true");
    values.put("in_process", Boolean.toString(inProcess));
    DeviceSpec plain = Rig.spec(2, values);
    return new DeviceSpec(plain.id(), plain.seed(), 2, true, isolation, values);
  }

  private static long context(String group) {
    return Ids.of(Ids.CONTEXT, 1, GROUPS.get(group));
  }

  private static long program(String group) {
    return Ids.of(Ids.PROGRAM, 1, GROUPS.get(group));
  }

  private void make(String group) {
    AccelDevice on = open.extension(GroupIsolation.class).orElseThrow().open(group).device();
    on.createContext(
        context(group), new ContextArgs(1, Priority.NORMAL, 0, 5_000_000, 0, 0, group));
    var ignored =
        on.extension(Programs.class)
            .orElseThrow()
            .load(context(group), program(group), Programs.Kind.BUILTIN, NOOP);
  }

  /** Opens it with a context of each group. */
  private Map<String, Long> opened() throws InterruptedException {
    rig.rebuilding =
        now -> {
          open = now;
          GROUPS.keySet().forEach(this::make);
        };
    rig.renewing = this::make;
    device.apply(HANDLE, spec(Isolation.GROUP, false)).join();
    return pids(3);
  }

  private Map<String, Long> pids(int count) throws InterruptedException {
    DeviceReport report =
        rig.await(
            now ->
                now.state() == DeviceState.ACTIVE
                    && now.running().map(run -> run.hosts().size()).orElse(0) == count);
    return report.running().orElseThrow().hosts().stream()
        .collect(Collectors.toMap(DeviceHost::group, DeviceHost::pid));
  }

  /** As they are once those of these groups are others than before. */
  private Map<String, Long> pidsOtherThan(Map<String, Long> before, String... groups)
      throws InterruptedException {
    DeviceReport report =
        rig.await(
            now -> {
              Map<String, Long> pids = new HashMap<>();
              now.running()
                  .ifPresent(
                      run -> run.hosts().forEach(host -> pids.put(host.group(), host.pid())));
              return pids.size() == before.size()
                  && List.of(groups).stream()
                      .noneMatch(group -> before.get(group).equals(pids.get(group)));
            });
    return report.running().orElseThrow().hosts().stream()
        .collect(Collectors.toMap(DeviceHost::group, DeviceHost::pid));
  }

  /** The context of a group works. */
  private void works(String group) {
    Map<Long, Integer> ended = new HashMap<>();
    rig.attachment().sink =
        (tag, status, start, end, busy, detail) -> {
          ended.put(tag, status);
          return 0;
        };
    long at = (next++ & 63) * 4096L;
    int length = Dispatch.write(rig.attachment().commands().memory(), at, program(group));
    long tag = (long) next << 32 | (next & 1023);
    assertEquals(
        0,
        open.submit(context(group), tag, rig.attachment().commands().memory(), at, length),
        "submit");
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (ended.isEmpty() && System.nanoTime() < deadline) {
      int ignored = open.poll(8);
      Thread.onSpinWait();
    }
    assertEquals(Map.of(tag, 0), ended);
  }

  private Recovery recovered(long number) throws InterruptedException {
    return rig.book.await("x0", number - 1, Duration.ofSeconds(60)).orElseThrow();
  }

  @Test
  void aKilledProcessCostsItsGroupAlone() throws Exception {
    Map<String, Long> before = opened();
    GROUPS.keySet().forEach(this::works);
    AccelDevice first = open;
    device.injectFault("a", HostFault.KILL).join();
    Recovery recovery = recovered(1);
    assertEquals("a", recovery.group());
    assertEquals(Recovery.Outcome.RECOVERED, recovery.outcome());
    assertEquals(RecoveryCause.Kind.CRASH, recovery.cause().kind());
    assertEquals(recovery.fromEpoch(), recovery.toEpoch());
    Map<String, Long> after = pidsOtherThan(before, "a");
    assertEquals(List.of(recovery), List.copyOf(rig.ended));
    assertEquals(before.get("b"), after.get("b"));
    assertEquals(before.get("default"), after.get("default"));
    assertTrue(ProcessHandle.of(before.get("a")).isEmpty());
    GROUPS.keySet().forEach(this::works);
    assertEquals(first, open);
    assertFalse(rig.calls().contains("freeze crash"));
    assertTrue(
        rig.calls().containsAll(List.of("interrupt a crash", "renew a")), rig.calls()::toString);
  }

  /** Else its contexts would wait for ever. */
  @ParameterizedTest
  @ValueSource(classes = {IllegalStateException.class, AssertionError.class})
  void aGroupThatCannotBeInterruptedCostsTheDevice(Class<? extends Throwable> thrown)
      throws Exception {
    Map<String, Long> ignored = opened();
    rig.attachmentCalls =
        what -> {
          if (what.startsWith("interrupt a")) {
            if (thrown == AssertionError.class) {
              throw new AssertionError("planned");
            }
            throw new IllegalStateException("planned");
          }
        };
    device.injectFault("a", HostFault.KILL).join();
    Recovery recovery = recovered(1);
    assertEquals("", recovery.group());
    assertEquals(RecoveryCause.Kind.EXCEPTION, recovery.cause().kind());
    assertEquals(Recovery.Outcome.RECOVERED, recovery.outcome());
  }

  @Test
  void aProcessThatStandsStillIsFoundByTheWatchAndCostsItsGroupAlone() throws Exception {
    Map<String, Long> before = opened();
    rig.background.every(Duration.ofMillis(20), rig.watch::look);
    device.injectFault("b", HostFault.STOP).join();
    long at = (next++ & 63) * 4096L;
    int length = Dispatch.write(rig.attachment().commands().memory(), at, program("b"));
    assertEquals(
        0, open.submit(context("b"), 1L << 32, rig.attachment().commands().memory(), at, length));
    Recovery recovery = recovered(1);
    assertEquals("b", recovery.group());
    assertEquals(RecoveryCause.Kind.HANG, recovery.cause().kind());
    assertEquals(before.get("a"), pidsOtherThan(before, "b").get("a"));
    GROUPS.keySet().forEach(this::works);
  }

  @Test
  void whatTheCoreSaysOfAGroupReplacesItsProcess() throws Exception {
    Map<String, Long> before = opened();
    rig.attachment()
        .groupFailure
        .accept("a", new RecoveryCause(RecoveryCause.Kind.TIMEOUT, "it does not end"));
    assertEquals(RecoveryCause.Kind.TIMEOUT, recovered(1).cause().kind());
    assertEquals(before.get("b"), pidsOtherThan(before, "a").get("b"));
    GROUPS.keySet().forEach(this::works);
  }

  @Test
  void theDevicesOwnProcessTakesTheOthersAlong() throws Exception {
    Map<String, Long> before = opened();
    device.injectFault(HostFault.KILL).join();
    Recovery recovery = recovered(1);
    assertEquals("", recovery.group());
    var ignored = pidsOtherThan(before, "default", "a", "b");
    for (String group : GROUPS.keySet()) {
      assertTrue(ProcessHandle.of(before.get(group)).isEmpty(), group);
      works(group);
    }
    assertEquals(1, rig.book.of("x0").size());
  }

  @Test
  void aCrashOfTheDeviceDuringTheRecoveryOfAGroupFollowsIt() throws Exception {
    Map<String, Long> before = opened();
    boolean[] once = new boolean[1];
    rig.renewing =
        group -> {
          if (!once[0]) {
            once[0] = true;
            device.injectFault(HostFault.KILL);
            assertTrue(ProcessHandle.of(before.get("default")).orElseThrow().destroyForcibly());
          }
          make(group);
        };
    device.injectFault("a", HostFault.KILL).join();
    assertEquals("a", recovered(1).group());
    assertEquals("", recovered(2).group());
    var ignored = pidsOtherThan(before, "default", "a", "b");
    for (String group : GROUPS.keySet()) {
      works(group);
    }
  }

  @Test
  void aNextProcessThatIsNotToBeHadIsTriedAgainAndInTheEndTheGroupIsLetGo() throws Exception {
    Map<String, Long> before = opened();
    rig.renewing =
        group -> {
          throw new DriverException(Errno.ENODEV, "it ends while it is opened");
        };
    device.injectFault("a", HostFault.KILL).join();
    Recovery recovery = recovered(1);
    assertEquals(Recovery.Outcome.FAILED, recovery.outcome());
    assertEquals("a", recovery.group());
    assertEquals(RestartBackoff.MOST - 1, recovery.attempts());
    String lost = rig.calls().stream().filter(call -> call.startsWith("lose a")).findAny().get();
    assertTrue(lost.contains("group a ended 5 times in 60 s"), lost);
    works("b");
    works("default");
    GroupIsolation groups = open.extension(GroupIsolation.class).orElseThrow();
    assertEquals(Errno.EAGAIN, assertThrows(DriverException.class, () -> groups.open("a")).code());
    assertTrue(groups.open("c").device().alive());
    assertEquals(before.get("b"), pids(3).get("b"));
  }

  /** Says which phases it sees of groups, and asks each process that it is lent. */
  private static final class Seen implements RecoveryParticipant {
    final BlockingQueue<String> phases = new LinkedBlockingQueue<>();
    volatile DeviceSession last;

    /** What it does next when a process of a group is open; once. */
    final AtomicReference<Consumer<DeviceSession>> whenOpen = new AtomicReference<>();

    private void see(String phase, Recovering of) {
      of.group().ifPresent(group -> phases.add(phase + " " + group + " " + of.epoch()));
    }

    private void see(String phase, Recovering of, DeviceSession session) {
      see(phase, of);
      if (of.group().isPresent()) {
        assertEquals(of.group(), session.group());
        assertTrue(session.call(Vitals.class, Vitals::utilization).memoryTotalBytes() > 0);
        last = session;
      }
    }

    @Override
    public void drain(Recovering of, DeviceSession session) {
      see("drain", of, session);
    }

    @Override
    public void freeze(Recovering of) {
      see("freeze", of);
    }

    @Override
    public void fail(Recovering of) {
      see("fail", of);
    }

    @Override
    public void revoke(Recovering of) {
      see("revoke", of);
    }

    @Override
    public void reset(Recovering of) {
      see("reset", of);
    }

    @Override
    public void open(Recovering of, DeviceSession session) {
      see("open", of, session);
      Consumer<DeviceSession> then = of.group().isEmpty() ? null : whenOpen.getAndSet(null);
      if (then != null) {
        then.accept(session);
      }
    }

    @Override
    public void rebuild(Recovering of, DeviceSession session) {
      see("rebuild", of, session);
    }

    @Override
    public void thaw(Recovering of, DeviceSession session) {
      see("thaw", of, session);
    }

    @Override
    public void takenBack(Recovering of) {
      see("taken back", of);
    }
  }

  @Test
  void whoTakesPartSeesThePhasesOfAGroupsProcessAndIsLentTheNextOne() throws Exception {
    Map<String, Long> ignored = opened();
    Seen seen = new Seen();
    device.join(rig.participants.add(seen)).join();
    device.injectFault("a", HostFault.KILL).join();
    assertEquals("a", recovered(1).group());
    assertEquals(
        List.of("freeze", "fail", "revoke", "reset", "open", "rebuild", "thaw").stream()
            .map(phase -> phase + " a 1")
            .toList(),
        List.copyOf(seen.phases));
    DeviceSession first = seen.last;
    assertTrue(first.alive());
    seen.phases.clear();
    int[] fails = {1};
    rig.renewing =
        group -> {
          if (fails[0]-- > 0) {
            throw new DriverException(Errno.ENODEV, "it ends while its contexts are made");
          }
          make(group);
        };
    device.injectFault("a", HostFault.KILL).join();
    assertEquals(2, recovered(2).attempts());
    assertEquals(
        List.of(
                "freeze",
                "fail",
                "revoke",
                "reset",
                "open",
                "taken back",
                "reset",
                "open",
                "rebuild",
                "thaw")
            .stream()
            .map(phase -> phase + " a 1")
            .toList(),
        List.copyOf(seen.phases));
    assertEquals(
        Errno.ESTALE,
        assertThrows(DriverException.class, () -> first.call(Vitals.class, Vitals::utilization))
            .code());
    works("a");
    works("b");
  }

  @Test
  void aGroupsNextProcessThatEndsWhileTheOthersLookAtItIsReplacedForThemToo() throws Exception {
    Map<String, Long> before = opened();
    long standby =
        rig.await(now -> now.standbyPid().filter(pid -> !before.containsValue(pid)).isPresent())
            .standbyPid()
            .orElseThrow();
    Seen seen = new Seen();
    device.join(rig.participants.add(seen)).join();
    seen.whenOpen.set(
        session -> {
          assertTrue(ProcessHandle.of(standby).orElseThrow().destroyForcibly());
          while (session.alive()) {
            Thread.onSpinWait();
          }
        });
    device.injectFault("a", HostFault.KILL).join();
    assertEquals(Recovery.Outcome.RECOVERED, recovered(1).outcome());
    assertEquals(
        List.of(
                "freeze",
                "fail",
                "revoke",
                "reset",
                "open",
                "taken back",
                "reset",
                "open",
                "rebuild",
                "thaw")
            .stream()
            .map(phase -> phase + " a 1")
            .toList(),
        List.copyOf(seen.phases));
    assertTrue(seen.last.alive());
    works("a");
    works("b");
  }

  @Test
  void isolationIsAsTheDriverAdvisesUnlessItIsSet() throws Exception {
    rig.rebuilding = now -> open = now;
    device.apply(HANDLE, spec(Isolation.AUTO, false)).join();
    assertEquals(Isolation.SHARED, running().isolation());
    assertTrue(open.extension(GroupIsolation.class).isEmpty());
    assertEquals("", running().hosts().getFirst().group());
    device.apply(HANDLE, spec(Isolation.AUTO, true)).join();
    assertEquals(Isolation.GROUP, running().isolation());
    assertTrue(open.extension(GroupIsolation.class).isPresent());
    assertEquals("default", running().hosts().getFirst().group());
    device.apply(HANDLE, spec(Isolation.SHARED, true)).join();
    assertEquals(Isolation.SHARED, running().isolation());
    CompletionException none =
        assertThrows(
            CompletionException.class, () -> device.injectFault("a", HostFault.KILL).join());
    assertEquals(Errno.ENOENT, ((DriverException) none.getCause()).code());
  }

  private io.isle.api.driver.DeviceRegistry.Running running() throws InterruptedException {
    return rig.await(now -> now.state() == DeviceState.ACTIVE).running().orElseThrow();
  }

  @Test
  void aGroupGetsTheWarmStandbyAndAnotherOneIsStarted() throws Exception {
    rig.rebuilding = now -> open = now;
    device.apply(HANDLE, spec(Isolation.GROUP, false)).join();
    long standby = rig.await(now -> now.standbyPid().isPresent()).standbyPid().orElseThrow();
    make("a");
    assertEquals(standby, pids(2).get("a"));
    assertNotEquals(
        standby,
        rig.await(now -> now.standbyPid().filter(pid -> pid != standby).isPresent())
            .standbyPid()
            .orElseThrow());
    open.extension(GroupIsolation.class)
        .orElseThrow()
        .open("a")
        .device()
        .destroyContext(context("a"));
    assertEquals(1, pids(1).size());
    assertTrue(ProcessHandle.of(standby).isEmpty());
  }
}
