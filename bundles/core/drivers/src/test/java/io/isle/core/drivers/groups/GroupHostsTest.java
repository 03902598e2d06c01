package io.isle.core.drivers.groups;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.device.DeviceHost;
import io.isle.api.device.Priority;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.AllocArgs;
import io.isle.api.driver.ContextArgs;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.HandlerUnits;
import io.isle.core.drivers.driver.OpenedDevice;
import io.isle.core.drivers.session.DeviceLane;
import io.isle.core.drivers.session.HungCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The processes of one device, scripted, with a timer that the test turns. */
@Timeout(60)
class GroupHostsTest implements HostParts {
  private static final ContextArgs ARGS = new ContextArgs(1, Priority.NORMAL, 0, 0, 0, 0);
  private static final AllocArgs KIB =
      new AllocArgs(1024, 64, AllocArgs.PageSize.STANDARD, AllocArgs.CPU_VISIBLE);

  private final List<String> calls = new CopyOnWriteArrayList<>();
  private final List<Runnable> timer = new ArrayList<>();
  private final List<FakeProcess> processes = new ArrayList<>();
  private final List<Long> completed = new ArrayList<>();
  private final List<GroupHost> lost = new ArrayList<>();
  private final List<RecoveryCause> unusable = new CopyOnWriteArrayList<>();
  private volatile Runnable inStart = () -> {};
  private volatile Runnable inEnd = () -> {};
  private final OwnCompletions rootCompletions = completions();
  private final FakeProcess root = new FakeProcess(1, rootCompletions);
  private final GroupHosts hosts =
      new GroupHosts(
          this, new OwnHost(root, rootCompletions, lane("x0", () -> true), 1, root.info()));
  private final GroupedDevice device =
      new GroupedDevice(hosts, new GroupSums(hosts::groupHosts, this::execute));

  @Override
  public OwnCompletions completions() {
    return new OwnCompletions(
        (tag, status, start, end, busy, detail) -> {
          completed.add(tag);
          return 0;
        });
  }

  private DeviceLane lane(String name, BooleanSupplier alive) {
    return new DeviceLane(name, alive, DeviceLane.Bounds.of(Duration.ofSeconds(60)), unusable::add);
  }

  @Override
  public DeviceLane lane(GroupHost host) {
    return lane("x0-" + host.group(), host::isAlive);
  }

  private AccelDevice opened(String group) {
    return hosts.open(group).device();
  }

  @Override
  public HostParts.Started start(OwnCompletions completions, Consumer<RecoveryCause> heard) {
    FakeProcess process = new FakeProcess(processes.size() + 2, completions);
    process.lost = heard;
    processes.add(process);
    calls.add("start " + process.pid());
    inStart.run();
    return new HostParts.Started(process, false);
  }

  @Override
  public void end(OpenedDevice process, boolean orderly) {
    calls.add((orderly ? "close " : "kill ") + process.process().orElseThrow().pid());
    inEnd.run();
    process.end(orderly);
  }

  @Override
  public void admit(String group) {
    if (group.equals("barred")) {
      throw new DriverException(Errno.EAGAIN, "not yet");
    }
  }

  @Override
  public void lost(GroupHost host, RecoveryCause cause) {
    lost.add(host);
  }

  @Override
  public void changed() {}

  @Override
  public void after(Duration delay, Runnable work) {
    assertEquals(GroupHosts.LINGER, delay);
    timer.add(work);
  }

  @Override
  public boolean execute(Runnable work) {
    work.run();
    return true;
  }

  /** The time of all that waits has come. */
  private void linger() {
    List<Runnable> due = List.copyOf(timer);
    timer.clear();
    due.forEach(Runnable::run);
  }

  private static long id(int generation, int index) {
    return Ids.of(Ids.CONTEXT, generation, index);
  }

  private static long memory(int index) {
    return Ids.of(Ids.MEMORY, 1, index);
  }

  private int submit(long context, long tag) {
    return device.submit(context, tag, null, 0, 0);
  }

  private FakeProcess process(int number) {
    return processes.get(number);
  }

  @Test
  void aGroupHasOneProcessAndTheDefaultGroupTheDevicesOwn() {
    AccelDevice a = opened("a");
    assertSame(a, opened("a"));
    AccelDevice b = opened("b");
    assertNotSame(a, b);
    a.createContext(id(1, 0), ARGS);
    b.createContext(id(1, 1), ARGS);
    device.createContext(id(1, 2), ARGS);
    assertEquals(List.of(id(1, 0)), process(0).contexts);
    assertEquals(List.of(id(1, 1)), process(1).contexts);
    assertEquals(List.of(id(1, 2)), root.contexts);
    for (int i = 0; i < 3; i++) {
      assertEquals(0, submit(id(1, i), 1L << 32 | i));
    }
    assertEquals(List.of(1L << 32), process(0).submitted);
    assertEquals(List.of(1L << 32 | 1), process(1).submitted);
    assertEquals(List.of(1L << 32 | 2), root.submitted);
    assertEquals(
        List.of(new DeviceHost("default", 1), new DeviceHost("a", 2), new DeviceHost("b", 3)),
        hosts.list());
    assertEquals(3, device.utilization().activeContexts());
  }

  @Test
  void callsAboutHandlersGoToTheProcessThatHasTheContextOnItsLane() {
    opened("a").createContext(id(1, 0), ARGS);
    device.createContext(id(1, 1), ARGS);
    HandlerUnits units = device.extension(HandlerUnits.class).orElseThrow();
    units.attach(id(1, 0), 7, new long[HandlerUnits.MEMORIES], units.caps().limits());
    assertEquals(process(0).pid(), units.report(id(1, 0)).tasks());
    units.detach(id(1, 0));
    units.attach(id(1, 1), 8, new long[HandlerUnits.MEMORIES], units.caps().limits());
    assertEquals(
        List.of(
            "attach 7 on isle-control-x0-a",
            "report on isle-control-x0-a",
            "detach on isle-control-x0-a"),
        process(0).handlerCalls);
    assertEquals(
        List.of(
            "caps on isle-control-x0", "caps on isle-control-x0", "attach 8 on isle-control-x0"),
        root.handlerCalls);
    DriverException none = assertThrows(DriverException.class, () -> units.report(id(2, 0)));
    assertEquals(Errno.EINTR, none.code());
    hosts.freeze("a");
    assertEquals(
        Errno.EINTR, assertThrows(DriverException.class, () -> units.report(id(1, 0))).code());
  }

  @Test
  void aProcessCompletesItsOwnWorkOnlyAndThatOnce() {
    AccelDevice a = opened("a");
    AccelDevice b = opened("b");
    a.createContext(id(1, 0), ARGS);
    b.createContext(id(1, 1), ARGS);
    int ignored = submit(id(1, 0), 1L << 32 | 5) + submit(id(1, 1), 1L << 32 | 6);
    for (long forged : new long[] {1L << 32 | 6, 2L << 32 | 5, 5, 0, 1L << 32 | 5000, -1}) {
      process(0).finish(forged);
    }
    process(0).finish(1L << 32 | 5);
    process(0).finish(1L << 32 | 5);
    assertEquals(1, device.poll(64));
    assertEquals(List.of(1L << 32 | 5), completed);
    process(1).finish(1L << 32 | 6);
    assertEquals(1, device.poll(64));
    assertEquals(List.of(1L << 32 | 5, 1L << 32 | 6), completed);
  }

  @Test
  void workThatWasNotTakenCannotBeCompleted() {
    opened("a").createContext(id(1, 0), ARGS);
    process(0).refusal = -Errno.EAGAIN;
    assertEquals(-Errno.EAGAIN, submit(id(1, 0), 1L << 32 | 5));
    process(0).finish(1L << 32 | 5);
    assertEquals(0, device.poll(64));
    process(0).refusal = -Errno.ENODEV;
    assertEquals(-Errno.EINTR, submit(id(1, 0), 1L << 32 | 5), "the device itself is there");
  }

  @Test
  void aProcessWithoutContextsEndsInOrderAfterAWhile() {
    AccelDevice a = opened("a");
    a.createContext(id(1, 0), ARGS);
    linger();
    assertEquals(List.of("start 2"), calls);
    a.destroyContext(id(1, 0));
    assertSame(a, opened("a"), "it is used again before it has ended");
    a.createContext(id(2, 0), ARGS);
    linger();
    a.destroyContext(id(2, 0));
    assertEquals(List.of("start 2"), calls);
    linger();
    assertEquals(List.of("start 2", "close 2"), calls);
    assertEquals(List.of(new DeviceHost("default", 1)), hosts.list());
    assertNotSame(a, opened("a"));
    assertThrows(DriverException.class, () -> a.createContext(id(3, 0), ARGS));
    assertEquals(-Errno.EINTR, submit(id(2, 0), 1));
  }

  @Test
  void oneThatIsNeverUsedEndsToo() {
    var ignored = opened("a");
    linger();
    assertEquals(List.of("start 2", "close 2"), calls);
  }

  @Test
  void thereIsABoundAndOneThatNobodyUsesMakesRoom() {
    for (int i = 0; i < GroupHosts.MOST; i++) {
      opened("g" + i).createContext(id(1, i), ARGS);
    }
    DriverException full = assertThrows(DriverException.class, () -> opened("more"));
    assertEquals(Errno.ENOSPC, full.code());
    assertTrue(full.getMessage().contains("16 driver processes"), full.getMessage());
    opened("g3").destroyContext(id(1, 3));
    assertSame(process(4).view(hosts, "g4"), opened("g4"));
    opened("more").createContext(id(1, 20), ARGS);
    assertTrue(calls.contains("close 5"), calls::toString);
    assertEquals(Errno.ENOSPC, assertThrows(DriverException.class, () -> opened("g3")).code());
  }

  @Test
  void oneThatEndedIsNotGivenAwayAgain() {
    AccelDevice a = opened("a");
    a.createContext(id(1, 0), ARGS);
    process(0).die();
    assertEquals(1, lost.size());
    assertEquals(Errno.EINTR, assertThrows(DriverException.class, () -> opened("a")).code());
    assertTrue(device.alive());
    assertTrue(hosts.isCurrent(lost.getFirst()));
    hosts.retire(lost.getFirst(), false);
    assertFalse(hosts.isCurrent(lost.getFirst()));
    AccelDevice next = opened("a");
    next.createContext(id(1, 0), ARGS);
    assertEquals(0, submit(id(1, 0), 1L << 32));
    assertTrue(process(0).submitted.isEmpty());
    process(0).finish(1L << 32);
    assertEquals(0, device.poll(64), "the old one is not polled");
    process(1).finish(1L << 32);
    assertEquals(1, device.poll(64));
  }

  @Test
  void oneThatEndedUnusedIsReplacedByWhoeverAsks() {
    var ignored = opened("a");
    process(0).die();
    opened("a").createContext(id(1, 0), ARGS);
    assertEquals(List.of("start 2", "kill 2", "start 3"), calls);
  }

  @Test
  void oneThatDoesNotStartLeavesNothing() {
    inStart =
        () -> {
          throw new DriverException(Errno.ETIMEDOUT, "it does not load");
        };
    assertEquals(Errno.ETIMEDOUT, assertThrows(DriverException.class, () -> opened("a")).code());
    inStart = () -> {};
    opened("a").createContext(id(1, 0), ARGS);
    assertEquals(Errno.EAGAIN, assertThrows(DriverException.class, () -> opened("barred")).code());
    assertEquals(List.of("start 2", "start 3"), calls);
  }

  @Test
  void whatAProcessSaysOfSizesTakesNothingFromOthers() {
    AccelDevice a = opened("a");
    AccelDevice b = opened("b");
    a.createContext(id(1, 0), ARGS);
    b.createContext(id(1, 1), ARGS);
    process(0).says = 1L << 62;
    long before = hosts.memoryUsed();
    var ignored = a.allocate(id(1, 0), memory(0), KIB);
    ignored = a.allocate(id(1, 0), memory(1), KIB);
    assertEquals(before + 2 * 4096, hosts.memoryUsed(), "more than the last page is believed");
    ignored = b.allocate(id(1, 1), memory(2), KIB);
    process(0).says = 1;
    ignored = a.allocate(id(1, 0), memory(3), KIB);
    assertEquals(before + 2 * 4096 + 2 * 1024, hosts.memoryUsed(), "less than asked is believed");
    a.destroyContext(id(1, 0));
    b.destroyContext(id(1, 1));
    assertEquals(before, hosts.memoryUsed());
  }

  @Test
  void aProcessThatSaysThatTheDeviceIsLargerIsGivenUp() {
    inStart = () -> process(processes.size() - 1).memoryBytes = 16 * 1024 + 1;
    DriverException refused = assertThrows(DriverException.class, () -> opened("a"));
    assertEquals(Errno.EPROTO, refused.code());
    assertEquals(RecoveryCause.Kind.PROTOCOL, process(0).abandoned.kind());
    assertEquals(List.of("start 2", "kill 2"), calls);
  }

  @Test
  void aProcessThatIsRefusedCountsUntilItHasEnded() throws Exception {
    inStart = () -> process(processes.size() - 1).memoryBytes = 16 * 1024 + 1;
    CompletableFuture<AccelDevice> next = new CompletableFuture<>();
    Thread other = Thread.ofPlatform().unstarted(() -> next.complete(opened("a")));
    inEnd =
        () -> {
          other.start();
          while (other.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
          }
          inStart = () -> {};
          inEnd = () -> {};
          calls.add("ended");
          throw new IllegalStateException("planned");
        };
    assertThrows(DriverException.class, () -> opened("a"));
    assertTrue(next.get().alive());
    assertEquals(List.of("start 2", "kill 2", "ended", "start 3"), calls);
    hosts.endAll(false);
  }

  @Test
  void whoWaitsForAProcessThatIsBeingStartedIsToldAtOnceThatTheDeviceIsTakenAway()
      throws Exception {
    CountDownLatch starting = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    inStart =
        () -> {
          starting.countDown();
          try {
            never.await();
          } catch (InterruptedException e) {
            throw new DriverException(Errno.ECANCELED, "its start was interrupted");
          }
        };
    CompletableFuture<Integer> first = code("a");
    starting.await();
    CompletableFuture<Integer> second = code("a");
    hosts.freeze(false);
    assertEquals(Errno.EINTR, first.get());
    assertEquals(Errno.EINTR, second.get());
    hosts.endAll(false);
    assertEquals(List.of("start 2"), calls);
    assertEquals(Errno.EINTR, code("b").get());
  }

  @Test
  void inOrderOnlyAProcessThatReturnsFromItsCallsIsAskedToClose() throws Exception {
    AccelDevice a = opened("a");
    AccelDevice b = opened("b");
    assertTrue(a.alive() && b.alive());
    HungCall hung = new HungCall();
    hosts.find("b").orElseThrow().lane.post("test", hung, failure -> {});
    hung.awaitEntered();
    hosts.freeze(true);
    hosts.endAll(true);
    assertEquals(Set.of("start 2", "start 3", "close 2", "kill 3"), Set.copyOf(calls));
    hung.release();
  }

  private CompletableFuture<Integer> code(String group) {
    CompletableFuture<Integer> code = new CompletableFuture<>();
    Thread.ofPlatform()
        .start(
            () -> code.complete(assertThrows(DriverException.class, () -> opened(group)).code()));
    return code;
  }

  @Test
  void theMemoryOfTheDeviceIsOneForAll() {
    AccelDevice a = opened("a");
    AccelDevice b = opened("b");
    a.createContext(id(1, 0), ARGS);
    b.createContext(id(1, 1), ARGS);
    device.createContext(id(1, 2), ARGS);
    long room = device.info().localMemoryBytes() / 1024;
    for (int i = 0; i < room; i++) {
      var ignored = (i % 2 == 0 ? a : b).allocate(id(1, i % 2), memory(i), KIB);
    }
    for (AccelDevice each : List.of(a, b, device)) {
      assertEquals(
          Errno.ENOMEM,
          assertThrows(DriverException.class, () -> each.allocate(id(1, 0), memory(9999), KIB))
              .code());
    }
    assertEquals(room * 1024, device.utilization().memoryUsedBytes());
    a.free(memory(0));
    var ignored = device.allocate(id(1, 2), memory(0), KIB);
    b.destroyContext(id(1, 1));
    assertEquals((room / 2) * 1024, device.utilization().memoryUsedBytes());
    process(0).die();
    hosts.retire(lost.getFirst(), false);
    assertEquals(1024, device.utilization().memoryUsedBytes());
  }

  @Test
  void anOldIdMeansNobodysContext() {
    AccelDevice a = opened("a");
    a.createContext(id(1, 0), ARGS);
    a.destroyContext(id(1, 0));
    opened("b").createContext(id(2, 0), ARGS);
    assertEquals(-Errno.EINTR, submit(id(1, 0), 1));
    assertEquals(0, device.preempt(id(1, 0), 0));
    assertEquals(0, submit(id(2, 0), 1L << 32));
    assertEquals(List.of(1L << 32), process(1).submitted);
  }

  @Test
  void withTheDeviceAllEndAndOneThatIsBeingStartedToo() {
    opened("a").createContext(id(1, 0), ARGS);
    var ignored = opened("b");
    Thread[] ender = new Thread[1];
    inStart =
        () -> {
          ender[0] = Thread.ofPlatform().start(() -> hosts.endAll(false));
          while (hosts.list().size() > 1) {
            Thread.onSpinWait();
          }
        };
    assertEquals(Errno.EINTR, assertThrows(DriverException.class, () -> opened("c")).code());
    try {
      ender[0].join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    assertTrue(calls.containsAll(List.of("kill 2", "kill 3", "kill 4")), calls::toString);
    assertEquals(Errno.EINTR, assertThrows(DriverException.class, () -> opened("a")).code());
  }
}
