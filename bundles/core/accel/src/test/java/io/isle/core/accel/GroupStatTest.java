package io.isle.core.accel;

import static io.isle.core.accel.group.Trees.group;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.device.Priority;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.tenancy.GroupCounters;
import io.isle.core.accel.settings.AccelLimits;
import io.isle.core.testing.Until;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Counters of a group that tell what was done to its work; they count for the groups above too. */
@Timeout(60)
class GroupStatTest {
  private static final ContextSpec SPEC = ContextSpec.named("mine");

  private final GroupBench fixture = new GroupBench();

  @AfterEach
  void close() {
    fixture.close();
  }

  private long stat(String group, String counter) {
    return fixture.controller.stat(group).get(counter);
  }

  /** It happened to the inner group, and to no other beside it. */
  private void assertInner(String counter, long least) {
    assertTrue(Until.holds(() -> stat("inner", counter) >= least), counter);
    assertEquals(stat("inner", counter), stat("outer", counter));
    assertEquals(stat("inner", counter), stat("default", counter));
    assertEquals(0, stat("other", counter));
  }

  private ScriptedDevice.Submission running(int count) throws InterruptedException {
    return fixture.fixture.device.awaitRunning(count).getFirst();
  }

  @Test
  void workThatWasAskedToLeaveIsCounted() throws Exception {
    fixture.groups(group("outer"), group("inner", "parent", "outer"), group("other"));
    fixture.fixture.device.preempted = CompletionSink.PREEMPTED;
    Context low = fixture.open("inner", SPEC.withPriority(Priority.BACKGROUND));
    Context high = fixture.open("other", SPEC.withPriority(Priority.HIGH));
    for (int i = 0; i < 2; i++) {
      assertTrue(low.submit(low.writer()) > 0);
    }
    // the scripted device has two compute units
    var ignored = running(2);
    assertTrue(high.submit(high.writer()) > 0);
    assertInner(GroupCounters.PREEMPTIONS, 1);
    assertEquals(stat("inner", GroupCounters.PREEMPTIONS), low.info().usage().preemptions());
  }

  @Test
  void workThatRanBeyondItsLimitIsCounted() throws Exception {
    // it is not reset meanwhile
    fixture.fixture.core.configure(new AccelLimits(64, 5000, 600_000, 10_000, 10));
    fixture.fixture.crash();
    ScriptedDevice coarse = new ScriptedDevice(fixture.fixture.attachment.completions());
    coarse.granularity = DeviceInfo.Preemption.NONE;
    var ignored = fixture.fixture.recover(coarse);
    fixture.groups(group("outer"), group("inner", "parent", "outer"), group("other"));
    Context context = fixture.open("inner", SPEC.withMaxExecutionUs(1000));
    long begun = System.nanoTime();
    assertTrue(context.submit(context.writer()) > 0);
    ScriptedDevice.Submission over = running(1);
    coarse.awaitPreempt();
    // the agent may have looked at the clock before the work was there
    assertTrue(Until.holds(() -> System.nanoTime() - begun > 2_000_000));
    int told =
        coarse.sink.complete(over.tag(), CompletionSink.SUCCESS, begun, System.nanoTime(), 5, 0);
    assertEquals(0, told);
    assertInner(GroupCounters.OVERRUNS, 1);
    assertEquals(1, context.info().usage().overruns());
  }

  @Test
  void theTimeAtACeilingIsCounted() throws Exception {
    fixture.groups(
        group("outer", "compute.max", "sim0 1000 20000"),
        group("inner", "parent", "outer"),
        group("other"));
    Context context = fixture.open("inner", SPEC);
    for (int i = 0; i < 2; i++) {
      assertTrue(context.submit(context.writer()) > 0);
    }
    for (int i = 0; i < 2; i++) {
      ScriptedDevice.Submission next = running(1);
      long begun = System.nanoTime();
      assertTrue(Until.holds(() -> System.nanoTime() - begun > 2_000_000));
      assertEquals(
          0, fixture.fixture.device.complete(next, CompletionSink.SUCCESS, 0, 4_000_000, begun));
    }
    assertInner(GroupCounters.THROTTLED_US, 1_000);
    assertTrue(context.info().usage().throttledNs() >= 1_000_000);
  }
}
