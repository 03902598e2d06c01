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
import io.isle.core.accel.managed.ManagedDevice;
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

  private final GroupBench fixture = new GroupBench();
  private final GroupView controller = fixture.controller;

  @AfterEach
  void close() {
    fixture.close();
  }

  private void evict(String group) {
    controller.evict(group, Duration.ofSeconds(20));
    assertEquals(List.of(), MembersInside.of(fixture.fixture.core.members(), group));
  }

  private void refused(int code, String group, String message, GroupSpec... proposed) {
    GroupTree before = fixture.tree();
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
    fixture.groups(group("a", "compute.guarantee", "sim0 500000"), group("b", "parent", "a"));
    Context reserved = fixture.open("b", SPEC.withGuarantee(300_000, 0));
    refused(
        Errno.EBUSY,
        "a",
        "compute.guarantee: sim0: 20 % is less than the guarantees below: contexts of b 30 %",
        group("a", "compute.guarantee", "sim0 200000"),
        group("b", "parent", "a"));
    reserved.close();
    Context realtime = fixture.open("b", SPEC.withPriority(Priority.REALTIME));
    refused(
        Errno.EBUSY,
        "a",
        "compute.guarantee: sim0: the context mine of b-tenant in b is realtime and needs a"
            + " guarantee; close this context first",
        group("a"),
        group("b", "parent", "a"));
    refused(
        Errno.EBUSY,
        "b",
        "compute.guarantee: sim0: the context mine of b-tenant in b is realtime and needs a"
            + " guarantee; close this context first",
        group("a", "compute.guarantee", "sim0 500000"),
        group("b"));
    fixture.groups(group("a", "compute.guarantee", "sim0 1000"), group("b", "parent", "a"));
    realtime.close();
    fixture.groups(group("a"), group("b", "parent", "a"));
  }

  @Test
  void aGroupMayGoWithWhatIsInIt() {
    fixture.groups(group("a", "compute.guarantee", "sim0 500000"));
    fixture.open("a", SPEC.withGuarantee(300_000, 0).withPriority(Priority.REALTIME));
    controller.check(fixture.tree(), Trees.of());
    evict("a");
    controller.apply(Trees.of());
    fixture.groups(group("b", "compute.guarantee", "sim0 1000000"));
  }

  @Test
  void memoryIsThatOfTheWholeGroupAndComesBackOnEveryWay() {
    fixture.groups(group("a", "memory.max", "10000"), group("b", "parent", "a"));
    Context one = fixture.open("a", SPEC);
    Context two = fixture.open("b", SPEC);
    Buffer first = one.allocate(6000, 0);
    assertFull(two, 4001, 6000);
    Buffer second = two.allocate(4000, 0);
    assertFull(one, 1, 10_000);
    second.close();
    fixture.fixture.device.thrownInAllocate = new DriverException(Errno.EIO, "broken");
    assertThrows(IsleException.class, () -> two.allocate(4000, 0));
    fixture.fixture.device.thrownInAllocate = null;
    two.allocate(4000, 0);
    fixture.groups(group("a", "memory.max", "5000"), group("b", "parent", "a"));
    assertFull(one, 1, 10_000, 5000);
    two.close();
    assertFull(one, 1, 6000, 5000);
    fixture.fixture.crash();
    assertEquals(6000, controller.stat("a").get("memory_current"));
    fixture.fixture.recover();
    assertEquals(6000, controller.stat("a").get("memory_current"));
    first.close();
    one.allocate(5000, 0);
    fixture.fixture.lose();
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
            + " bytes more would exceed the group's memory.max of "
            + limit
            + " ("
            + taken
            + " are in use)",
        refusal.getMessage());
  }

  @Test
  void evictionEndsContextsInOrderAndAsksTheDevice() throws Exception {
    fixture.groups(group("a"), group("b"));
    List<Context> own = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      own.add(fixture.open("a", SPEC));
    }
    Context other = fixture.open("b", SPEC);
    fixture.fixture.device.preempted = CompletionSink.PREEMPTED;
    fixture.fixture.device.begun = 1;
    fixture.fixture.device.room = 1;
    Context busy = own.get(1);
    long running = busy.submit(busy.writer());
    fixture.fixture.device.awaitRunning(1);
    long waiting = busy.submit(busy.writer());
    evict("a");
    assertEquals(own.stream().map(Context::id).toList(), fixture.fixture.device.destroyed);
    assertTrue(
        fixture.fixture.device.reasons.contains(3), fixture.fixture.device.reasons::toString);
    assertEquals(-Errno.ECLOSED, busy.status(running));
    assertEquals(-Errno.ECLOSED, busy.status(waiting));
    IsleException closed = assertThrows(IsleException.class, () -> busy.allocate(1, 0));
    assertEquals("context mine was closed: group a was deleted", closed.getMessage());
    IsleException refusal = assertThrows(IsleException.class, () -> fixture.open("a", SPEC));
    assertEquals(Errno.EBUSY, refusal.code());
    assertEquals("group a is being deleted", refusal.getMessage());
    evict("a");
    assertEquals("open", other.info().state());
    controller.apply(fixture.tree());
    fixture.open("a", SPEC);
  }

  @Test
  void theWorkOfAllContextsLeavesTheDeviceAtTheSameTime() throws Exception {
    fixture.groups(group("a"));
    Context one = fixture.open("a", SPEC);
    Context two = fixture.open("a", SPEC);
    one.submit(one.writer());
    two.submit(two.writer());
    List<ScriptedDevice.Submission> running = fixture.fixture.device.awaitRunning(2);
    try (ExecutorService threads = Executors.newThreadPerTaskExecutor(Thread::new)) {
      Future<?> evicted = threads.submit(() -> evict("a"));
      assertTrue(
          Until.holds(() -> fixture.fixture.device.asked.containsAll(List.of(one.id(), two.id()))));
      assertEquals(List.of(), fixture.fixture.device.destroyed);
      for (ScriptedDevice.Submission each : running) {
        int ignored = fixture.fixture.device.complete(each, CompletionSink.SUCCESS);
      }
      evicted.get();
    }
    assertEquals(List.of(one.id(), two.id()), fixture.fixture.device.destroyed);
  }

  @Test
  void aContextWhoseDeviceHasGoneIsEndedToo() {
    fixture.groups(group("a"));
    Context lost = fixture.open("a", SPEC);
    fixture.fixture.lose();
    fixture.fixture.attachment.close();
    assertTrue(fixture.fixture.core.device("sim0").isEmpty());
    evict("a");
    assertEquals("closed", lost.info().state());
  }

  @Test
  void aContextIsEndedOnTheDeviceThatItWasOpenedOn() {
    fixture.groups(group("a"));
    fixture.open("a", SPEC);
    fixture.fixture.lose();
    fixture.fixture.attachment.close();
    fixture.fixture.attachAgain();
    ScriptedDevice next = new ScriptedDevice(fixture.fixture.attachment.completions());
    fixture.fixture.device = next;
    fixture.fixture.online(next, 1);
    Context living = fixture.open("a", SPEC);
    evict("a");
    assertEquals(List.of(living.id()), next.destroyed);
    controller.apply(fixture.tree());
    fixture.open("a", SPEC).close();
  }

  @Test
  void aContextThatIsBeingOpenedIsEndedToo() throws Exception {
    fixture.groups(group("a"));
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    fixture.fixture.device.inCreate =
        () -> {
          inside.countDown();
          LifeCycleTest.awaitQuietly(go);
        };
    ExecutorService threads = Executors.newThreadPerTaskExecutor(Thread::new);
    Future<Context> opened = threads.submit(() -> fixture.open("a", SPEC));
    inside.await();
    Future<?> evicted = threads.submit(() -> evict("a"));
    ManagedDevice device = fixture.fixture.core.device("sim0").orElseThrow();
    assertTrue(Until.holds(() -> device.contexts().getFirst().record().over()));
    go.countDown();
    evicted.get();
    Throwable failure = assertThrows(ExecutionException.class, opened::get).getCause();
    assertEquals(Errno.ECLOSED, ((IsleException) failure).code(), failure::getMessage);
    assertTrue(MembersInside.all(fixture.fixture.core.members()).isEmpty());
    assertTrue(fixture.fixture.device.contexts.isEmpty());
    threads.close();
  }

  @Test
  void whatLivesInAGroupThatWentUnseenIsEnded() {
    fixture.groups(group("a"));
    Context left = fixture.open("a", SPEC);
    Context unmade = fixture.open("never", SPEC);
    controller.apply(Trees.of());
    assertEquals("closed", left.info().state());
    assertEquals("open", unmade.info().state());
  }

  @Test
  void countersOutliveContextsAndCountForTheGroupsAbove() throws Exception {
    fixture.groups(group("a"), group("b", "parent", "a"));
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
    Context context = fixture.open("b", SPEC);
    long point = 0;
    for (int i = 0; i < 2; i++) {
      point = context.submit(context.writer());
      ScriptedDevice.Submission running = fixture.fixture.device.awaitRunning(1).getFirst();
      int ignored = fixture.fixture.device.complete(running, CompletionSink.SUCCESS, 0, 2000);
    }
    assertEquals(0, context.await(point, -1));
    // the scripted device has two compute units
    assertStat("b", 2, 2);
    context.close();
    assertStat("b", 2, 2);
    assertStat("a", 2, 2);
    assertStat("default", 2, 2);
    fixture.groups(group("a"), group("b"));
    assertStat("a", 2, 2);
    Context after = fixture.open("b", SPEC);
    fixture.fixture.device.completeAtOnce = true;
    assertEquals(0, after.await(after.submit(after.writer()), -1));
    assertStat("a", 2, 2);
    assertEquals(3, controller.stat("b").get("submissions"));
    after.close();
    fixture.groups(group("a"));
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
