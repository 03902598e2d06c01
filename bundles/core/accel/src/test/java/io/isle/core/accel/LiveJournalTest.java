package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelAdmin.JournalInfo;
import io.isle.api.accel.AccelException;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.base.Errno;
import io.isle.api.device.Priority;
import io.isle.api.tenancy.GroupSpec;
import io.isle.api.tenancy.GroupTree;
import io.isle.core.accel.group.AccelGroups;
import io.isle.core.accel.managed.ManagedDeviceInternals;
import io.isle.core.accel.sched.Replay;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The journal of an agent under load, with tenants that come and go and limits that change. */
@Timeout(60)
class LiveJournalTest {
  private static final Duration TIME = Duration.ofMillis(300);

  @Test
  void whatALiveAgentDecidedIsDecidedAgain() throws Exception {
    try (Fixture fixture = new Fixture();
        ExecutorService threads =
            Executors.newThreadPerTaskExecutor(Thread.ofPlatform().daemon().factory())) {
      fixture.lose();
      UnrulyDevice device = new UnrulyDevice(fixture.attachment.completions(), 2);
      fixture.online(device, 2);
      AtomicBoolean stop = new AtomicBoolean();
      CountDownLatch busy = new CountDownLatch(3);
      List<Future<?>> tenants = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        Priority priority = Priority.values()[i];
        tenants.add(threads.submit(() -> tenant(fixture, priority, busy, stop)));
      }
      tenants.add(threads.submit(() -> change(fixture, stop)));
      busy.await();
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      JournalInfo info = new AdminView(fixture.core).journal("sim0", TIME, bytes);
      // and again, from another state
      ByteArrayOutputStream more = new ByteArrayOutputStream();
      JournalInfo second = new AdminView(fixture.core).journal("sim0", TIME, more);
      stop.set(true);
      for (Future<?> tenant : tenants) {
        tenant.get();
      }
      check(info, bytes.toByteArray());
      check(second, more.toByteArray());
      device.close();
    }
  }

  private static void check(JournalInfo info, byte[] bytes) throws Exception {
    Replay.Result result = Replay.run(new ByteArrayInputStream(bytes));
    assertTrue(result.difference().isEmpty(), () -> result.toString());
    assertTrue(result.decisions() > 100, () -> result.toString());
    assertEquals(info.records(), result.records());
    assertEquals(info.missed(), result.missed());
    assertEquals(info.bytes(), bytes.length);
  }

  /** Comes again and again, and submits what fits. */
  private static void tenant(
      Fixture fixture, Priority priority, CountDownLatch busy, AtomicBoolean stop) {
    while (!stop.get()) {
      try (Context context =
          fixture.context(ContextSpec.named("t").withPriority(priority).withQueue(8, 256))) {
        long last = 0;
        for (int i = 0; i < 2000 && !stop.get(); i++) {
          long point = context.submit(context.writer());
          last = point > 0 ? point : last;
          if (point == -Errno.EAGAIN) {
            int ignored = context.await(Math.max(1, last - 4), 10_000_000);
          }
        }
        busy.countDown();
      }
    }
  }

  private static void change(Fixture fixture, AtomicBoolean stop) {
    for (int i = 0; !stop.get(); i++) {
      String limit = i % 3 == 0 ? "max" : "sim0 " + (1000 + 100 * (i % 50)) + " 10000";
      fixture.core.applyGroups(
          AccelGroups.of(
              GroupTree.of(
                  List.of(
                      GroupSpec.of("default", Map.of("compute.max", limit)),
                      GroupSpec.of("g" + i % 5, Map.of("compute.weight", "" + (1 + i % 99)))))));
      Thread.yield();
    }
  }

  @Test
  void oneAtATimeOfADeviceThatIsThere() throws Exception {
    try (Fixture fixture = new Fixture()) {
      AdminView admin = new AdminView(fixture.core);
      code(Errno.ENODEV, () -> admin.journal("sim7", TIME, OutputStream.nullOutputStream()));
      for (Duration wrong : List.of(Duration.ZERO, Duration.ofHours(2))) {
        code(Errno.EINVAL, () -> admin.journal("sim0", wrong, OutputStream.nullOutputStream()));
      }
      CountDownLatch begun = new CountDownLatch(1);
      OutputStream telling =
          new OutputStream() {
            @Override
            public void write(int b) {
              begun.countDown();
            }
          };
      Thread first =
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    try {
                      var ignored = admin.journal("sim0", Duration.ofMinutes(30), telling);
                    } catch (java.io.IOException e) {
                      throw new java.io.UncheckedIOException(e);
                    }
                  });
      while (!ManagedDeviceInternals.writesJournal(fixture.device())) {
        Thread.onSpinWait();
      }
      code(Errno.EBUSY, () -> admin.journal("sim0", TIME, OutputStream.nullOutputStream()));
      first.interrupt();
      first.join();
      // what there was is whole
      begun.await();
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      var ignored = admin.journal("sim0", Duration.ofMillis(1), bytes);
      var result = Replay.run(new ByteArrayInputStream(bytes.toByteArray()));
      assertTrue(result.difference().isEmpty());
    }
  }

  private static void code(int code, org.junit.jupiter.api.function.Executable call) {
    assertEquals(code, assertThrows(AccelException.class, call).code());
  }
}
