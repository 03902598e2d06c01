package io.isle.core.accel.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import io.isle.api.device.Priority;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.PreemptReason;
import io.isle.core.accel.FakeDevice;
import io.isle.core.accel.device.OpenDevice;
import io.isle.core.accel.machine.DeviceMachine;
import io.isle.core.accel.machine.DeviceScheduler;
import io.isle.core.accel.machine.Schedulers;
import io.isle.core.accel.machine.SchedulingSpec;
import io.isle.core.accel.queue.ContextQueue;
import io.isle.core.accel.sched.Preemption;
import io.isle.core.accel.settings.SchedulingChoice;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which contexts are asked to leave the device, and when. */
class PreemptionsTest {
  private static final int BACKGROUND = 0;
  private static final int REALTIME = 3;

  private final DeviceScheduler scheduler = Schedulers.byPriority(3, 8);
  private final DeviceMachine machine = new DeviceMachine(3, 8, scheduler);
  private final List<String> asked = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private final Preemptions preemptions =
      new Preemptions(machine, scheduler, cause -> failures.add(cause.text()));
  private int answer;
  private RuntimeException thrown;
  private DeviceInfo.Preemption granularity = DeviceInfo.Preemption.INSTRUCTION;

  private void online(int depth) {
    DeviceInfo info = FakeDevice.info(8, granularity);
    DeviceInfo one =
        new DeviceInfo(
            info.deviceClass(),
            1,
            info.localMemoryBytes(),
            info.maxContexts(),
            granularity,
            info.maxCommandBytes(),
            info.memoryTypes(),
            false,
            false,
            false,
            false);
    FakeDevice device =
        new FakeDevice() {
          @Override
          public DeviceInfo info() {
            return one;
          }

          @Override
          public int preempt(long context, int reason) {
            if (thrown != null) {
              throw thrown;
            }
            asked.add(context + ":" + reason);
            return answer;
          }
        };
    scheduler.setDevice(one);
    machine.inFlight().limit(depth);
    scheduler.limit(depth);
    preemptions.setDevice(OpenDevice.asked(device, 1, null));
  }

  private void submit(int c, int priority, int count) {
    ContextQueue queue = new ContextQueue(c, Schedulers.timeline(c, 8), 0, 256, 8);
    machine.onOpen(c, Schedulers.spec(priority), 0, queue);
    for (int point = 1; point <= count; point++) {
      queue.describe(point, 64, 0, 0, false);
    }
    machine.onSubmit(c, count);
  }

  private void start(int count) {
    start(count, 0);
  }

  private void start(int count, long now) {
    for (int i = 0; i < count; i++) {
      int ignored = machine.next(now);
    }
  }

  @Test
  void aHigherPriorityTakesTheDeviceAtOnceAndIsAskedForOnce() {
    online(1);
    submit(0, BACKGROUND, 4);
    start(1);
    preemptions.run(0);
    assertEquals(List.of(), asked);
    submit(1, REALTIME, 1);
    preemptions.run(100_000);
    assertEquals(List.of("0:" + PreemptReason.PRIORITY_INVERSION), asked);
    preemptions.run(5_000_000);
    assertEquals(1, asked.size());
    assertEquals(1, machine.queue(0).log.preemptions());
  }

  @Test
  void nothingMoreOfItStartsBeforeAllOfItIsBack() {
    online(2);
    submit(0, BACKGROUND, 4);
    start(2);
    submit(1, REALTIME, 1);
    preemptions.run(100_000);
    assertEquals(List.of("0:" + PreemptReason.PRIORITY_INVERSION), asked);
    machine.departures().onPreempted(0, 1, 2, 1, 100_010);
    assertEquals(1, machine.inFlight().context(machine.next(100_010)));
    assertEquals(-1, machine.next(100_010));
    assertTrue(machine.departures().onReturn(1, false));
    int first = machine.next(100_020);
    assertEquals(0, machine.inFlight().context(first));
    assertEquals(1, machine.inFlight().point(first));
  }

  @Test
  void whoIsAskedToLeaveKeepsWhatItsGuaranteeIsOwed() {
    online(2);
    scheduler.choose(SchedulingChoice.AUTO);
    ContextQueue queue = new ContextQueue(0, Schedulers.timeline(0, 8), 0, 256, 8);
    machine.onOpen(0, new SchedulingSpec("default", Priority.NORMAL, 500_000, 1_000_000), 0, queue);
    for (int point = 1; point <= 4; point++) {
      queue.describe(point, 64, 0, 0, false);
    }
    machine.onSubmit(0, 4);
    long due = scheduler.core().readings().deadline(0);
    machine.at(1_500_000_000);
    start(2, 1_500_000_000);
    machine.departures().onAsked(0);
    machine.departures().onPreempted(0, 1_500_000_000, 1_700_000_000, 200_000_000, 1_700_000_000);
    assertTrue(machine.departures().onReturn(1, false));
    assertTrue(machine.hasReady(1_700_000_000));
    assertEquals(due, scheduler.core().readings().deadline(0));
    assertEquals(300_000_000, scheduler.core().readings().budgetNs(0));
    int index = machine.next(1_700_000_000);
    machine.departures().onRejected(index);
    assertEquals(due, scheduler.core().readings().deadline(0));
  }

  @Test
  void whoHadTheDeviceBeyondItsLimitPaysForItAndWhoLostItByThatDoesNot() {
    online(2);
    submit(0, BACKGROUND, 1);
    submit(1, BACKGROUND, 1);
    start(2);
    machine.inFlight().stopWith(0, -Errno.ETIMEDOUT);
    machine.at(5_000_000);
    machine.departures().onAbandon(0, -Errno.ETIMEDOUT, false);
    machine.departures().onAbandon(1, -Errno.EINTR, false);
    assertEquals(5_000_000, scheduler.core().readings().givenNs(0));
    assertEquals(5_000_000, machine.queue(0).log.givenNs());
    assertEquals(0, scheduler.core().readings().givenNs(1));
  }

  @Test
  void aClockThatGoesBackDoesNoHarm() {
    online(1);
    submit(0, BACKGROUND, 4);
    submit(1, BACKGROUND, 4);
    start(1, 1_000_000_000);
    preemptions.run(1_000_000_000);
    assertEquals(1_000_000_000 + Preemption.SLICE_NS, preemptions.next());
    preemptions.run(1000);
    assertTrue(preemptions.next() <= 1000 + Preemption.SLICE_NS);
  }

  @Test
  void anEqualLeavesAfterItsSlice() {
    online(1);
    submit(0, BACKGROUND, 4);
    submit(1, BACKGROUND, 4);
    start(1);
    preemptions.run(0);
    assertEquals(Preemption.SLICE_NS, preemptions.next());
    preemptions.run(Preemption.SLICE_NS - 1);
    assertEquals(List.of(), asked);
    preemptions.run(Preemption.SLICE_NS);
    assertEquals(List.of("0:" + PreemptReason.FAIRNESS_TIMEOUT), asked);
  }

  @Test
  void whoIsAloneIsNeverAsked() {
    online(1);
    submit(0, BACKGROUND, 4);
    start(1);
    preemptions.run(0);
    preemptions.run(10 * Preemption.SLICE_NS);
    assertEquals(List.of(), asked);
    assertEquals(Long.MAX_VALUE, preemptions.next());
  }

  /** Where the one that runs has to leave for one of higher priority, and where it goes on. */
  @ParameterizedTest
  @EnumSource
  void whatRunsLeavesWhereItCan(DeviceInfo.Preemption each) {
    granularity = each;
    online(1);
    submit(0, BACKGROUND, 1);
    start(1);
    submit(1, REALTIME, 1);
    preemptions.run(100_000);
    List<String> expected =
        switch (each) {
          case NONE, COMMAND_BUFFER -> List.of();
          case DRAW_DISPATCH, INSTRUCTION -> List.of("0:" + PreemptReason.PRIORITY_INVERSION);
        };
    assertEquals(expected, asked);
  }

  @Test
  void aDeviceThatCannotStopIsAskedForWhatItHasNotBegun() {
    granularity = DeviceInfo.Preemption.NONE;
    online(2);
    submit(0, BACKGROUND, 1);
    start(1);
    submit(1, REALTIME, 1);
    preemptions.run(100_000);
    assertEquals(List.of(), asked);
    machine.onForget(1);
    submit(2, BACKGROUND, 4);
    start(1);
    submit(1, REALTIME, 1);
    preemptions.run(200_000);
    assertEquals(List.of("2:" + PreemptReason.PRIORITY_INVERSION), asked);
  }

  @Test
  void whatWaitsBehindOnADeviceThatCannotStopLeaves() {
    granularity = DeviceInfo.Preemption.COMMAND_BUFFER;
    online(2);
    submit(0, BACKGROUND, 4);
    start(2);
    submit(1, REALTIME, 1);
    preemptions.run(100_000);
    assertEquals(List.of("0:" + PreemptReason.PRIORITY_INVERSION), asked);
  }

  @Test
  void aDeviceThatCannotBeAskedIsNotAskedAgain() {
    answer = -Errno.ENOTSUP;
    online(1);
    submit(0, BACKGROUND, 4);
    start(1);
    submit(1, REALTIME, 1);
    preemptions.run(100_000);
    submit(2, REALTIME, 1);
    preemptions.run(200_000);
    assertEquals(1, asked.size());
    assertEquals(0, machine.queue(0).log.preemptions());
    assertEquals(Long.MAX_VALUE, preemptions.next());
  }

  @Test
  void aDeviceThatIsFullIsAskedAgain() {
    answer = -Errno.EAGAIN;
    online(1);
    submit(0, BACKGROUND, 4);
    start(1);
    submit(1, REALTIME, 1);
    preemptions.run(100_000);
    assertEquals(120_000, preemptions.next());
    answer = 0;
    preemptions.run(preemptions.next());
    assertEquals(2, asked.size());
    assertEquals(1, machine.queue(0).log.preemptions());
  }

  @Test
  void aDeviceThatLosesWhatItHasDoneIsNotAskedAgain() {
    online(1);
    submit(0, BACKGROUND, 4);
    start(1);
    preemptions.onLost();
    submit(1, REALTIME, 1);
    preemptions.run(100_000);
    assertEquals(List.of(), asked);
  }

  @Test
  void aDriverThatThrowsLosesItsDevice() {
    thrown = new IllegalStateException("test");
    online(1);
    submit(0, BACKGROUND, 4);
    start(1);
    submit(1, REALTIME, 1);
    preemptions.run(100_000);
    assertEquals(1, failures.size());
    assertEquals(Long.MAX_VALUE, preemptions.next());
  }
}
