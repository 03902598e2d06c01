package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.MemoryPins.Pin;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;
import io.isle.api.base.Errno;
import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DriverException;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.CapabilitySpec;
import io.isle.api.tenancy.Permission;
import io.isle.core.accel.settings.AccelLimits;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The process of one group is replaced, while the device and the other groups go on. */
@Timeout(60)
class GroupRecoveryTest {
  private static final RecoveryCause CRASH =
      new RecoveryCause(RecoveryCause.Kind.CRASH, "it was ended by signal 11");

  private final Fixture fixture = new Fixture(new AccelLimits(64, 5000, 20, 10_000, 10));
  private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
  private GroupedScript device;

  @BeforeEach
  void grouped() {
    fixture.crash();
    device = new GroupedScript(fixture.attachment.completions());
    fixture.attachment.onGroupFailure(
        (group, cause) -> told.add(group + " " + cause.kind().text()));
    fixture.online(device, 2);
  }

  @AfterEach
  void close() {
    device.root.completeAtOnce = true;
    device.close();
    fixture.close();
  }

  private Context context(String group, ContextSpec spec) {
    Capability right =
        fixture.capabilities.issue(
            new CapabilitySpec(
                "t-" + group, group, Set.of(Permission.values()), Optional.empty(), 0));
    return fixture.accelerator().open(right, spec);
  }

  private Context context(String group) {
    return context(group, ContextSpec.named(group));
  }

  private ScriptedDevice process(String group) {
    return device.groups.get(group);
  }

  private void crash(String group) {
    device.end(group);
    fixture.attachment.interrupt(group, CRASH);
  }

  @Test
  void eachGroupHasItsProcessAndTheDefaultGroupTheDevicesOwn() {
    Context a = context("a");
    Context again = context("a");
    Context b = context("b");
    Context own = fixture.context();
    assertEquals(Set.of(a.id(), again.id()), process("a").contexts.keySet());
    assertEquals(Set.of(b.id()), process("b").contexts.keySet());
    assertEquals(Set.of(own.id()), device.root.contexts.keySet());
    assertEquals("a", process("a").contexts.get(a.id()).group());
    assertEquals("b", b.info().group());
  }

  @Test
  void onlyTheGroupsWorkIsInterruptedAndItsContextGoesOnInTheNextProcess() throws Exception {
    Context a = context("a");
    Context b = context("b");
    Program sum = a.load(new ProgramSource.Builtin("sum"));
    Buffer buffer = a.allocate(1000, 0);
    long lost = a.submit(a.writer());
    long safe = b.submit(b.writer());
    ScriptedDevice before = process("a");
    var late = before.awaitRunning(1).getFirst();
    var running = process("b").awaitRunning(1).getFirst();

    crash("a");
    assertEquals(-Errno.EINTR, a.await(lost, -1));
    assertEquals(-Errno.EINTR, a.submit(a.writer()));
    assertEquals("interrupted", a.info().state());
    assertEquals(1, b.info().inFlight());
    assertEquals(-Errno.ESTALE, before.complete(late, CompletionSink.SUCCESS));
    assertEquals(0, process("b").complete(running, CompletionSink.SUCCESS));
    assertEquals(0, b.await(safe, -1));

    Recovery.Work work = fixture.attachment.renew("a");
    assertEquals(new Recovery.Work(1, 1, 0, 0, 0, 1), work);
    assertEquals(0, a.awaitUsable(0));
    assertNotSame(before, process("a"));
    assertEquals(Set.of(a.id()), process("a").contexts.keySet());
    assertEquals(Set.of(sum.id()), process("a").programs);
    assertEquals(Set.of(buffer.id()), process("a").memory.keySet());
    process("a").completeAtOnce = true;
    assertEquals(0, a.await(a.submit(a.writer()), -1));
    assertEquals(1, a.interruptions());
    assertEquals(0, b.interruptions());
    assertEquals(1, b.info().completed());
    assertNull(fixture.failures.poll());
    assertNull(told.poll());
  }

  @Test
  void pinsEndWithTheProcessOfTheirGroupAlone() {
    PinView pins = new PinView(fixture.core);
    Buffer mine = context("a").allocate(1000, 0);
    Pin a = pins.pin(mine.memory());
    Pin b = pins.pin(context("b").allocate(1000, 0).memory());
    Pin own = pins.pin(fixture.context().allocate(1000, 0).memory());
    assertEquals(
        List.of(Optional.of("a"), Optional.of("b"), Optional.empty()),
        List.of(a.group(), b.group(), own.group()));
    crash("a");
    assertFalse(a.alive());
    AccelException ended = assertThrows(AccelException.class, a::memory);
    assertEquals(Errno.ESTALE, ended.code());
    assertTrue(
        ended.getMessage().endsWith("the process of group a was replaced"), ended.getMessage());
    assertEquals(
        Errno.EINTR, assertThrows(AccelException.class, () -> pins.pin(mine.memory())).code());
    assertTrue(b.alive() && own.alive());

    assertEquals(1, fixture.attachment.renew("a").contexts());
    Pin again = pins.pin(mine.memory());
    assertEquals(Optional.of("a"), again.group());
    assertEquals(process("a").bytes(mine.id()).address(), again.cpu().orElseThrow().address());
    assertFalse(a.alive());
  }

  /** A driver that says that its device is gone speaks for its own process. */
  @Test
  void aGoneDeviceOfAGroupConcernsThatGroupAlone() throws Exception {
    Context a = context("a");
    long lost = a.submit(a.writer());
    var running = process("a").awaitRunning(1).getFirst();
    assertEquals(0, process("a").complete(running, CompletionSink.ERROR, -Errno.ENODEV));
    assertEquals(-Errno.EINTR, a.await(lost, -1));
    assertEquals("a crash", told.take());
    assertNull(fixture.failures.poll());
    assertTrue(process("a").resets.isEmpty(), "nothing was wrong with the context");
    crash("a");
    var ignored = fixture.attachment.renew("a");
    process("a").completeAtOnce = true;
    assertEquals(0, a.await(a.submit(a.writer()), -1));
  }

  @Test
  void keptAndReplayableWorkStartsInTheNextProcessInItsOrder() throws Exception {
    Context a = context("a", ContextSpec.named("a").withKeepPending(true));
    Context b = context("b");
    device.groups.get("a").room = 1;
    long replayed = a.submit(a.writer().replayable());
    process("a").awaitRunning(1);
    long kept = a.submit(a.writer());
    crash("a");
    long other = b.submit(b.writer());
    var running = process("b").awaitRunning(1).getFirst();
    assertEquals(0, process("b").complete(running, CompletionSink.SUCCESS));
    assertEquals(0, b.await(other, -1));
    assertEquals(-Errno.ETIME, a.await(kept, 0));
    Recovery.Work work = fixture.attachment.renew("a");
    assertEquals(1, work.kept());
    assertEquals(1, work.replayed());
    assertEquals(0, work.interrupted());
    var both = process("a").awaitRunning(2);
    assertTrue(both.get(0).offset() < both.get(1).offset());
    both.forEach(one -> assertEquals(0, process("a").complete(one, CompletionSink.SUCCESS)));
    assertEquals(0, a.await(replayed, -1));
    assertEquals(0, a.await(kept, -1));
  }

  @Test
  void meanwhileControlCallsOfTheGroupAreToldAndThoseOfOthersAreMade() {
    Context a = context("a");
    Context b = context("b");
    crash("a");
    assertEquals(Errno.EINTR, assertThrows(AccelException.class, () -> a.allocate(10, 0)).code());
    assertEquals(Errno.EINTR, assertThrows(AccelException.class, () -> context("a")).code());
    b.allocate(10, 0).close();
    context("c").close();
    fixture.context().close();
    assertEquals(1, fixture.attachment.renew("a").contexts());
    a.allocate(10, 0).close();
  }

  @Test
  void aCallThatIsInsideTheDriverWhenItsProcessEndsIsInterruptedAtOnce() throws Exception {
    Context a = context("a");
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    process("a").compiler =
        (kind, source, options) -> {
          inside.countDown();
          try {
            release.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          throw new DriverException(Errno.ENODEV, "gone");
        };
    BlockingQueue<Integer> codes = new LinkedBlockingQueue<>();
    Thread caller =
        Thread.ofPlatform()
            .start(
                () ->
                    codes.add(
                        assertThrows(
                                AccelException.class,
                                () -> a.load(new ProgramSource.OpenClC("kernel", "")))
                            .code()));
    inside.await();
    Context b = context("b");
    b.allocate(10, 0).close();
    crash("a");
    assertEquals(Errno.EINTR, codes.poll(20, TimeUnit.SECONDS));
    release.countDown();
    caller.join();
    assertEquals(1, fixture.attachment.renew("a").contexts());
  }

  @Test
  void aNextProcessThatCannotBeHadMayBeTriedAgain() {
    Context a = context("a");
    Context b = context("b");
    crash("a");
    device.refusal = new DriverException(Errno.ENODEV, "it did not start");
    assertThrows(DriverException.class, () -> fixture.attachment.renew("a"));
    assertEquals("interrupted", a.info().state());
    assertEquals("open", b.info().state());
    device.refusal = null;
    assertEquals(1, fixture.attachment.renew("a").contexts());
    assertEquals("open", a.info().state());
  }

  @Test
  void aNextProcessThatFailsInTheMiddleLeavesNobodyHalfMade() throws Exception {
    Context first = context("a");
    Context second = context("a");
    crash("a");
    device.inOpen =
        () -> {
          ScriptedDevice next = new ScriptedDevice(fixture.attachment.completions());
          next.failAfter(1, new DriverException(Errno.ENODEV, "it ended"));
          device.groups.put("a", next);
          device.inOpen = () -> {};
        };
    assertThrows(DriverException.class, () -> fixture.attachment.renew("a"));
    assertEquals("interrupted", first.info().state());
    assertEquals("interrupted", second.info().state());
    device.end("a");
    fixture.attachment.interrupt("a", CRASH);
    assertEquals(2, fixture.attachment.renew("a").contexts());
    process("a").completeAtOnce = true;
    assertEquals(0, first.await(first.submit(first.writer()), -1));
    assertEquals(0, second.await(second.submit(second.writer()), -1));
  }

  @Test
  void aGroupThatIsLetGoLosesItsContextsAndMayOpenOthers() {
    Context a = context("a");
    Context b = context("b");
    long point = a.submit(a.writer());
    crash("a");
    fixture.attachment.lose("a", "the process of group a ended 5 times");
    assertEquals(-Errno.EINTR, a.status(point));
    assertEquals("lost", a.info().state());
    AccelException gone = assertThrows(AccelException.class, () -> a.allocate(10, 0));
    assertEquals(Errno.ENODEV, gone.code());
    assertTrue(gone.getMessage().contains("group a ended 5 times"), gone.getMessage());
    assertEquals("open", b.info().state());
    a.close();
    assertEquals("open", context("a").info().state());
  }

  @Test
  void aCrashOfTheDeviceItselfTakesAllGroupsAlongAlsoOneThatIsInterrupted() throws Exception {
    Context a = context("a");
    Context b = context("b");
    Context own = fixture.context();
    crash("a");
    fixture.crash();
    device = new GroupedScript(fixture.attachment.completions());
    var ignored = fixture.attachment.rebuild(device, 3);
    assertEquals(3, ignored.contexts());
    fixture.attachment.thaw();
    for (Context context : List.of(a, b, own)) {
      assertEquals(0, context.awaitUsable(0));
    }
    process("a").completeAtOnce = true;
    assertEquals(0, a.await(a.submit(a.writer()), -1));
    assertEquals(1, b.interruptions());
  }

  @Test
  void aGroupWhoseProcessCannotBeHadDoesNotKeepTheDeviceFromComingBack() throws Exception {
    Context a = context("a", ContextSpec.named("a").withKeepPending(true));
    Context own = fixture.context();
    process("a").room = 0;
    long kept = a.submit(a.writer());
    fixture.crash();
    device = new GroupedScript(fixture.attachment.completions());
    device.refusal = new DriverException(Errno.ENODEV, "it did not start");
    assertEquals(1, fixture.attachment.rebuild(device, 3).contexts());
    fixture.attachment.thaw();
    assertEquals("a exception", told.poll(20, TimeUnit.SECONDS));
    assertEquals("open", own.info().state());
    assertEquals("interrupted", a.info().state());
    device.refusal = null;
    fixture.attachment.interrupt("a", CRASH);
    assertEquals(1, fixture.attachment.renew("a").contexts());
    var running = process("a").awaitRunning(1).getFirst();
    assertEquals(0, process("a").complete(running, CompletionSink.SUCCESS));
    assertEquals(0, a.await(kept, -1));
  }

  @Test
  void aDeviceThatIsSharedAgainHasAllContextsInItsOneProcess() {
    Context a = context("a");
    fixture.crash();
    ScriptedDevice shared = new ScriptedDevice(fixture.attachment.completions());
    fixture.device = shared;
    fixture.online(shared, 3);
    assertEquals(Set.of(a.id()), shared.contexts.keySet());
    Context more = context("a");
    assertEquals(Set.of(a.id(), more.id()), shared.contexts.keySet());
    a.close();
    more.close();
    assertTrue(shared.contexts.isEmpty());
  }

  @Test
  void workThatDoesNotEndCostsItsGroupsProcessAndNoReset() throws Exception {
    Context b = context("b");
    Context a = context("a", ContextSpec.named("a").withMaxExecutionUs(1000));
    process("a").resetsWork = -1;
    long endless = a.submit(a.writer());
    process("a").awaitRunning(1);
    long safe = b.submit(b.writer());
    var running = process("b").awaitRunning(1).getFirst();
    assertEquals("a timeout", told.poll(20, TimeUnit.SECONDS));
    assertEquals(List.of(a.id()), process("a").resets);
    assertTrue(device.root.resets.isEmpty());
    assertNull(fixture.failures.poll());
    crash("a");
    assertEquals(-Errno.ETIMEDOUT, a.await(endless, -1));
    assertEquals(1, fixture.attachment.renew("a").contexts());
    assertEquals(0, process("b").complete(running, CompletionSink.SUCCESS));
    assertEquals(0, b.await(safe, -1));
    assertNull(told.poll());
  }

  @Test
  void aControlCallThatHangsFailsItsGroupAlone() throws Exception {
    Fixture quick = new Fixture(new AccelLimits(64, 200, 20, 10_000, 10));
    try {
      quick.crash();
      GroupedScript hanging = new GroupedScript(quick.attachment.completions());
      quick.attachment.onGroupFailure(
          (group, cause) -> told.add(group + " " + cause.kind().text()));
      quick.online(hanging, 2);
      Capability right =
          quick.capabilities.issue(
              new CapabilitySpec("t", "a", Set.of(Permission.values()), Optional.empty(), 0));
      Context a = quick.accelerator().open(right, ContextSpec.named("a"));
      CountDownLatch never = new CountDownLatch(1);
      hanging.groups.get("a").inCreate =
          () -> {
            try {
              never.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          };
      assertEquals(
          Errno.ETIMEDOUT,
          assertThrows(
                  AccelException.class,
                  () -> quick.accelerator().open(right, ContextSpec.named("hangs")))
              .code());
      assertEquals("a hang", told.poll(20, TimeUnit.SECONDS));
      quick.context().allocate(10, 0).close();
      assertNull(quick.failures.poll());
      never.countDown();
      hanging.end("a");
      quick.attachment.interrupt("a", CRASH);
      assertEquals(1, quick.attachment.renew("a").contexts());
      assertEquals("open", a.info().state());
      hanging.close();
    } finally {
      quick.close();
    }
  }

  @Test
  void contextsThatCloseWhileTheirGroupRecoversAreGone() {
    Context a = context("a");
    Context other = context("a");
    crash("a");
    a.close();
    assertEquals(1, fixture.attachment.renew("a").contexts());
    assertEquals(Set.of(other.id()), process("a").contexts.keySet());
    other.close();
    crash("a");
    assertEquals(0, fixture.attachment.renew("a").contexts());
    Context next = context("a");
    assertSame(next.accelerator(), next.accelerator());
    assertEquals(Set.of(next.id()), process("a").contexts.keySet());
  }
}
