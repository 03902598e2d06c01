package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.base.Errno;
import io.isle.api.device.Priority;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tenants, agent and an unruly device at full speed, with exact accounting. */
@Tag("alone")
@Timeout(120)
class StressTest {
  private static final Set<Integer> RUN = Set.of(0, -Errno.EIO);
  private static final Set<Integer> ENDED = Set.of(0, -Errno.EIO, -Errno.EINTR, -Errno.ECLOSED);

  @Test
  @ExtendWith(NoBlockedListeners.class)
  void everySubmissionOfEveryTenantEndsOnce() throws Exception {
    try (Fixture fixture = new Fixture();
        UnrulyDevice device = online(fixture, 2);
        ExecutorService tenants = tenants()) {
      List<Future<Long>> results = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Priority priority = Priority.values()[i % 3];
        results.add(tenants.submit(() -> tenant(fixture, priority, 20_000)));
      }
      long completed = 0;
      for (Future<Long> result : results) {
        completed += result.get();
      }
      assertEquals(80_000, completed);
      assertEquals(80_000, device.accepted.get());
    }
  }

  @Test
  void lossesAndClosesLeaveNoSubmissionOpen() throws Exception {
    Fixture fixture = new Fixture();
    try (ExecutorService tenants = tenants()) {
      for (int round = 0; round < 30; round++) {
        UnrulyDevice device = online(fixture, 2);
        List<Future<Long>> results = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
          results.add(tenants.submit(untilLost(fixture, i == 0 && round % 2 == 0)));
        }
        while (device.accepted.get() < 300) {
          Thread.onSpinWait();
        }
        fixture.lose();
        device.close();
        for (Future<Long> result : results) {
          assertTrue(result.get() >= 0);
        }
      }
    }
    fixture.close();
  }

  @Test
  @ExtendWith(NoBlockedListeners.class)
  void crashesUnderLoadEndEachSubmissionOnce() throws Exception {
    try (Fixture fixture = new Fixture();
        ExecutorService tenants = tenants()) {
      List<Future<Long>> results = new ArrayList<>();
      CountDownLatch opened = new CountDownLatch(3);
      AtomicBoolean stop = new AtomicBoolean();
      List<UnrulyDevice> devices = new ArrayList<>();
      devices.add(next(fixture));
      for (int i = 0; i < 3; i++) {
        boolean keep = i == 1;
        results.add(tenants.submit(() -> untilTold(fixture, keep, opened, stop)));
      }
      // who opens or listens during a crash is refused
      opened.await();
      SplittableRandom random = new SplittableRandom(5);
      for (int crash = 0; crash < 60; crash++) {
        UnrulyDevice device = devices.get(devices.size() - 1);
        long until = device.accepted.get() + random.nextInt(200);
        while (device.accepted.get() < until) {
          Thread.onSpinWait();
        }
        if (crash % 4 == 0) {
          boolean ignored = fixture.attachment.pause(Duration.ofSeconds(10));
          fixture.attachment.save();
          fixture.replace();
          fixture.attachment.unpause();
        } else {
          fixture.crash();
        }
        devices.add(next(fixture));
      }
      stop.set(true);
      for (Future<Long> result : results) {
        assertTrue(result.get() > 0);
      }
      devices.forEach(UnrulyDevice::close);
    }
  }

  private static UnrulyDevice next(Fixture fixture) {
    UnrulyDevice device = new UnrulyDevice(fixture.attachment.completions(), 1);
    fixture.online(device, 2);
    return device;
  }

  /** Submits over many recoveries; each point is heard of once, in order, with a final code. */
  private static long untilTold(
      Fixture fixture, boolean keep, CountDownLatch opened, AtomicBoolean stop) throws Exception {
    try (Context context =
        fixture.context(ContextSpec.named("s").withQueue(16, 256).withKeepPending(keep))) {
      AtomicLong heard = new AtomicLong();
      AtomicLong wrong = new AtomicLong();
      context.listen(
          (from, completion) -> {
            boolean right = completion.point() == heard.incrementAndGet();
            right &= completion.status() == from.status(completion.point());
            right &= ENDED.contains(completion.status());
            wrong.addAndGet(right ? 0 : 1);
          },
          Runnable::run);
      opened.countDown();
      long last = 0;
      while (!stop.get()) {
        long point = context.submit(context.writer());
        if (point > 0) {
          assertEquals(++last, point);
        } else if (point == -Errno.EINTR) {
          assertEquals(0, context.awaitUsable(-1));
        } else {
          assertEquals(-Errno.EAGAIN, point);
          Thread.yield();
        }
      }
      assertTrue(ENDED.contains(context.await(last, -1)));
      while (heard.get() < last) {
        Thread.yield();
      }
      assertEquals(0, wrong.get());
      assertEquals(last, context.info().completed());
      return last;
    }
  }

  /**
   * Platform threads: the tenants yield while they wait, and two virtual threads that yield keep
   * both carriers of a small machine from ever taking what others unpark, the notifiers among it.
   */
  private static ExecutorService tenants() {
    return Executors.newThreadPerTaskExecutor(Thread.ofPlatform().daemon().factory());
  }

  private static long tenant(Fixture fixture, Priority priority, int count) {
    try (Context context =
        fixture.context(ContextSpec.named("t").withPriority(priority).withQueue(16, 256))) {
      AtomicLong heard = new AtomicLong();
      context.listen((from, completion) -> heard.incrementAndGet(), Runnable::run);
      long last = 0;
      for (int sent = 0; sent < count; ) {
        CommandWriter writer = context.writer();
        if (writer == null) {
          assertTrue(RUN.contains(context.await(Math.max(1, last - 8), 1_000_000_000L)));
          Thread.yield();
          continue;
        }
        last = context.submit(writer);
        assertEquals(++sent, last);
      }
      assertTrue(RUN.contains(context.await(last, -1)));
      while (heard.get() < count) {
        Thread.yield();
      }
      assertEquals(count, heard.get());
      assertEquals(count, context.info().completed());
      return context.timeline().ended();
    }
  }

  /** Submits until the device is gone; returns how many ended, all of them. */
  private static Callable<Long> untilLost(Fixture fixture, boolean closing) {
    return () -> {
      Context context;
      try {
        context = fixture.context(ContextSpec.named("u").withQueue(8, 256));
      } catch (AccelException e) {
        assertTrue(e.code() == Errno.ENODEV || e.code() == Errno.EINTR, "code " + e.code());
        return 0L;
      }
      long last = 0;
      while (true) {
        CommandWriter writer = context.writer();
        long point = context.submit(writer);
        if (point > 0) {
          last = point;
          if (closing && last == 200) {
            context.close();
          }
        } else if (point == -Errno.EINTR) {
          int ignored = context.awaitUsable(-1);
        } else if (point != -Errno.EAGAIN) {
          assertTrue(point == -Errno.ENODEV || point == -Errno.ECLOSED, "code " + point);
          break;
        } else if (last > 0) {
          int ignored = context.await(last, 10_000_000);
        }
      }
      for (long p = Math.max(1, last - 7); p <= last; p++) {
        assertTrue(ENDED.contains(context.await(p, -1)), "point " + p);
      }
      context.close();
      assertEquals(last, context.timeline().ended());
      return last;
    };
  }

  private static UnrulyDevice online(Fixture fixture, int workers) {
    fixture.lose();
    UnrulyDevice device = new UnrulyDevice(fixture.attachment.completions(), workers);
    fixture.online(device, 2);
    return device;
  }
}
