package io.isle.core.accel;

import static io.isle.core.accel.group.Trees.group;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.Buffer;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.device.Priority;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DriverException;
import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.GroupTree;
import io.isle.api.tenancy.TenancyException;
import io.isle.core.accel.admission.MembersInside;
import io.isle.core.accel.group.AccelGroupKeys;
import io.isle.core.accel.group.Trees;
import io.isle.core.accel.place.DevicePlace;
import io.isle.core.testing.Until;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class GroupViewTest {
  private static final ContextSpec SPEC = ContextSpec.named("mine");

  private final GroupBench bench = new GroupBench();
  private final GroupView controller = bench.controller;

  @AfterEach
  void close() {
    bench.close();
  }

  private void evict(String group) {
    controller.evict(group, Duration.ofSeconds(20));
    assertEquals(List.of(), MembersInside.of(bench.bench.core.members(), group));
  }

  private void refused(int code, String group, String message, GroupSpec... proposed) {
    GroupTree before = bench.tree();
    TenancyException refusal =
        assertThrows(TenancyException.class, () -> controller.check(before, Trees.of(proposed)));
    assertEquals(message, refusal.getMessage());
    assertEquals(group, refusal.group());
    assertEquals(code, refusal.code());
  }

  @Test
  void itBringsTheKeysOfAccelerators() {
    assertEquals("accel", controller.name());
    assertEquals(AccelGroupKeys.KEYS, controller.keys());
  }

  @Test
  void whatIsMalformedOrTooMuchIsRefused() {
    refused(
        Errno.EINVAL,
        "a",
        "compute.weight: 'many' is not a weight from 1 to 10000",
        group("a", "compute.weight", "many"));
    refused(
        Errno.EBUSY,
        "b",
        "compute.guarantee: sim0: a 60 % + b 50 % = 110 % of sim0; 40 % is left",
        group("a", "compute.guarantee", "sim0 600000"),
        group("b", "compute.guarantee", "sim0 500000"));
  }

  @Test
  void aTreeFromBeforeItCameMayHaveAnything() {
    controller.check(Trees.of(group("a", "compute.weight", "many")), Trees.of(group("a")));
  }

  @Test
  void livingContextsKeepWhatTheyWereAdmittedWith() {
    bench.groups(group("a", "compute.guarantee", "sim0 500000"), group("b", "parent", "a"));
    Context carved = bench.open("b", SPEC.withGuarantee(300_000, 0));
    refused(
        Errno.EBUSY,
        "a",
        "compute.guarantee: sim0: 20 % is less than what is guaranteed: contexts of b 30 %",
        group("a", "compute.guarantee", "sim0 200000"),
        group("b", "parent", "a"));
    carved.close();
    Context realtime = bench.open("b", SPEC.withPriority(Priority.REALTIME));
    refused(
        Errno.EBUSY,
        "a",
        "compute.guarantee: sim0: the context mine of b-tenant in b is realtime, which needs a"
            + " guarantee; close it first",
        group("a"),
        group("b", "parent", "a"));
    refused(
        Errno.EBUSY,
        "b",
        "compute.guarantee: sim0: the context mine of b-tenant in b is realtime, which needs a"
            + " guarantee; close it first",
        group("a", "compute.guarantee", "sim0 500000"),
        group("b"));
    bench.groups(group("a", "compute.guarantee", "sim0 1000"), group("b", "parent", "a"));
    realtime.close();
    bench.groups(group("a"), group("b", "parent", "a"));
  }

  @Test
  void aGroupMayGoWithWhatIsInIt() {
    bench.groups(group("a", "compute.guarantee", "sim0 500000"));
    bench.open("a", SPEC.withGuarantee(300_000, 0).withPriority(Priority.REALTIME));
    controller.check(bench.tree(), Trees.of());
    evict("a");
    controller.apply(Trees.of());
    bench.groups(group("b", "compute.guarantee", "sim0 1000000"));
  }

  @Test
  void memoryIsThatOfTheWholeGroupAndComesBackOnEveryWay() {
    bench.groups(group("a", "memory.max", "10000"), group("b", "parent", "a"));
    Context one = bench.open("a", SPEC);
    Context two = bench.open("b", SPEC);
    Buffer first = one.allocate(6000, 0);
    assertFull(two, 4001, 6000);
    Buffer second = two.allocate(4000, 0);
    assertFull(one, 1, 10_000);
    second.close();
    bench.bench.device.thrownInAllocate = new DriverException(Errno.EIO, "broken");
    assertThrows(IsleException.class, () -> two.allocate(4000, 0));
    bench.bench.device.thrownInAllocate = null;
    two.allocate(4000, 0);
    bench.groups(group("a", "memory.max", "5000"), group("b", "parent", "a"));
    assertFull(one, 1, 10_000, 5000);
    two.close();
    assertFull(one, 1, 6000, 5000);
    bench.bench.crash();
    assertEquals(6000, controller.stat("a").get("memory_current"));
    bench.bench.recover();
    assertEquals(6000, controller.stat("a").get("memory_current"));
    first.close();
    one.allocate(5000, 0);
    bench.bench.lose();
    assertEquals(0, controller.stat("a").get("memory_current"));
    assertEquals(10_000, controller.stat("a").get("memory_peak"));
    one.close();
    assertEquals(0, controller.stat("default").get("memory_current"));
  }

  private static void assertFull(Context context, long bytes, long taken) {
    assertFull(context, bytes, taken, 10_000);
  }

  private static void assertFull(Context context, long bytes, long taken, long limit) {
    IsleException refusal = assertThrows(IsleException.class, () -> context.allocate(bytes, 0));
    assertEquals(Errno.ENOMEM, refusal.code());
    assertEquals(
        "memory.max: group a: "
            + bytes
            + " bytes more would exceed its limit of "
            + limit
            + " ("
            + taken
            + " are taken)",
        refusal.getMessage());
  }

  @Test
  void evictionEndsContextsInOrderAndAsksTheDevice() throws Exception {
    bench.groups(group("a"), group("b"));
    List<Context> own = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      own.add(bench.open("a", SPEC));
    }
    Context other = bench.open("b", SPEC);
    bench.bench.device.preempted = CompletionSink.PREEMPTED;
    bench.bench.device.begun = 1;
    bench.bench.device.room = 1;
    Context busy = own.get(1);
    long running = busy.submit(busy.writer());
    bench.bench.device.awaitRunning(1);
    long waiting = busy.submit(busy.writer());
    evict("a");
    assertEquals(own.stream().map(Context::id).toList(), bench.bench.device.destroyed);
    assertTrue(bench.bench.device.reasons.contains(3), bench.bench.device.reasons::toString);
    assertEquals(-Errno.ECLOSED, busy.status(running));
    assertEquals(-Errno.ECLOSED, busy.status(waiting));
    IsleException closed = assertThrows(IsleException.class, () -> busy.allocate(1, 0));
    assertEquals("context mine was closed: group a was deleted", closed.getMessage());
    IsleException refusal = assertThrows(IsleException.class, () -> bench.open("a", SPEC));
    assertEquals(Errno.EBUSY, refusal.code());
    assertEquals("group a is being deleted", refusal.getMessage());
    evict("a");
    assertEquals("open", other.info().state());
    controller.apply(bench.tree());
    bench.open("a", SPEC);
  }

  @Test
  void theWorkOfAllContextsLeavesTheDeviceAtTheSameTime() throws Exception {
    bench.groups(group("a"));
    Context one = bench.open("a", SPEC);
    Context two = bench.open("a", SPEC);
    one.submit(one.writer());
    two.submit(two.writer());
    List<ScriptedDevice.Submission> running = bench.bench.device.awaitRunning(2);
    try (ExecutorService threads = Executors.newThreadPerTaskExecutor(Thread::new)) {
      Future<?> evicted = threads.submit(() -> evict("a"));
      assertTrue(
          Until.holds(() -> bench.bench.device.asked.containsAll(List.of(one.id(), two.id()))));
      assertEquals(List.of(), bench.bench.device.destroyed);
      for (ScriptedDevice.Submission each : running) {
        int ignored = bench.bench.device.complete(each, CompletionSink.SUCCESS);
      }
      evicted.get();
    }
    assertEquals(List.of(one.id(), two.id()), bench.bench.device.destroyed);
  }

  @Test
  void aContextWhoseDeviceHasGoneIsEndedToo() {
    bench.groups(group("a"));
    Context lost = bench.open("a", SPEC);
    bench.bench.lose();
    bench.bench.plug.close();
    assertTrue(bench.bench.core.place("sim0").isEmpty());
    evict("a");
    assertEquals("closed", lost.info().state());
  }

  @Test
  void aContextIsEndedOnTheDeviceThatItWasOpenedOn() {
    bench.groups(group("a"));
    bench.open("a", SPEC);
    bench.bench.lose();
    bench.bench.plug.close();
    bench.bench.plugAgain();
    ScriptedDevice next = new ScriptedDevice(bench.bench.plug.completions());
    bench.bench.device = next;
    bench.bench.online(next, 1);
    Context living = bench.open("a", SPEC);
    evict("a");
    assertEquals(List.of(living.id()), next.destroyed);
    controller.apply(bench.tree());
    bench.open("a", SPEC).close();
  }

  @Test
  void aContextThatIsBeingOpenedIsEndedToo() throws Exception {
    bench.groups(group("a"));
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    bench.bench.device.inCreate =
        () -> {
          inside.countDown();
          LifeCycleTest.awaitQuietly(go);
        };
    ExecutorService threads = Executors.newThreadPerTaskExecutor(Thread::new);
    Future<Context> opened = threads.submit(() -> bench.open("a", SPEC));
    inside.await();
    Future<?> evicted = threads.submit(() -> evict("a"));
    DevicePlace place = bench.bench.core.place("sim0").orElseThrow();
    assertTrue(Until.holds(() -> place.contexts().getFirst().seat().over()));
    go.countDown();
    evicted.get();
    Throwable failure = assertThrows(ExecutionException.class, opened::get).getCause();
    assertEquals(Errno.ECLOSED, ((IsleException) failure).code(), failure::getMessage);
    assertTrue(MembersInside.all(bench.bench.core.members()).isEmpty());
    assertTrue(bench.bench.device.contexts.isEmpty());
    threads.close();
  }

  @Test
  void whatLivesInAGroupThatWentUnseenIsEnded() {
    bench.groups(group("a"));
    Context left = bench.open("a", SPEC);
    Context unmade = bench.open("never", SPEC);
    controller.apply(Trees.of());
    assertEquals("closed", left.info().state());
    assertEquals("open", unmade.info().state());
  }

  @Test
  void countersOutliveContextsAndCountForTheGroupsAbove() throws Exception {
    bench.groups(group("a"), group("b", "parent", "a"));
    assertTrue(controller.stat("nobody").isEmpty());
    assertEquals(
        List.of(
            "compute_time_us",
            "memory_current",
            "memory_peak",
            "submissions",
            "preemptions",
            "faults",
            "migrations",
            "overruns",
            "throttled_us"),
        List.copyOf(controller.stat("b").keySet()));
    Context context = bench.open("b", SPEC);
    long point = 0;
    for (int i = 0; i < 2; i++) {
      point = context.submit(context.writer());
      ScriptedDevice.Submission running = bench.bench.device.awaitRunning(1).getFirst();
      int ignored = bench.bench.device.complete(running, CompletionSink.SUCCESS, 0, 2000);
    }
    assertEquals(0, context.await(point, -1));
    // the scripted device has two compute units
    assertStat("b", 2, 2);
    context.close();
    assertStat("b", 2, 2);
    assertStat("a", 2, 2);
    assertStat("default", 2, 2);
    bench.groups(group("a"), group("b"));
    assertStat("a", 2, 2);
    Context after = bench.open("b", SPEC);
    bench.bench.device.completeAtOnce = true;
    assertEquals(0, after.await(after.submit(after.writer()), -1));
    assertStat("a", 2, 2);
    assertEquals(3, controller.stat("b").get("submissions"));
    after.close();
    bench.groups(group("a"));
    assertEquals(3, controller.stat("default").get("submissions"));
    assertEquals(Map.of(), controller.stat("b"));
  }

  private void assertStat(String name, long computeUs, long submissions) {
    Map<String, Long> stat = controller.stat(name);
    assertEquals(computeUs, stat.get("compute_time_us"), name);
    assertEquals(submissions, stat.get("submissions"), name);
    assertEquals(0, stat.get("faults"));
    assertEquals(0, stat.get("migrations"));
  }
}
