package io.isle.core.accel.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.core.accel.FakeDevice;
import io.isle.core.accel.TestLane;
import io.isle.core.accel.device.ControlLane;
import io.isle.core.accel.device.OpenDevice;
import io.isle.core.accel.machine.DeviceMachine;
import io.isle.core.accel.machine.Schedulers;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DeviceResetTest {
  private final BlockingQueue<Runnable> agent = new LinkedBlockingQueue<>();
  private final Semaphore entered = new Semaphore(0);
  private final Semaphore release = new Semaphore(0);
  private final AtomicInteger resets = new AtomicInteger();
  private final DeviceMachine machine = new DeviceMachine(2, 4, Schedulers.byPriority(2, 4));
  private final TestLane owner =
      new TestLane("sim0", () -> true, Duration.ofSeconds(10), cause -> {});
  private final ControlLane lane = new ControlLane(owner);
  private final PartialFailures failures =
      new PartialFailures(
          machine,
          2,
          agent::add,
          id -> Optional.empty(),
          new KeptWork(Arena.ofAuto().allocate(4096, 64), machine));

  @Test
  void oneResetServesAllThatAskWhileItIsUnderWay() throws InterruptedException {
    failures.setDevice(
        OpenDevice.asked(
            new FakeDevice() {
              @Override
              public void resetDevice() {
                resets.incrementAndGet();
                entered.release();
                release.acquireUninterruptibly();
              }
            },
            1,
            lane));
    failures.resetDevice();
    entered.acquire();
    failures.resetDevice();
    release.release(2);
    agent.take().run();
    lane.run("after all resets", () -> {});
    assertEquals(1, resets.get());
    failures.resetDevice();
    agent.take().run();
    assertEquals(2, resets.get());
    owner.abort();
  }
}
