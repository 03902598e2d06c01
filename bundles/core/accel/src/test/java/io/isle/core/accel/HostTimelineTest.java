package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.HostTimeline;
import io.isle.api.accel.Timeline;
import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import io.isle.api.tenancy.Capability;
import io.isle.api.tenancy.Permission;
import io.isle.api.tenancy.TenancyException;
import io.isle.core.accel.agent.FenceStress;
import io.isle.core.accel.fence.FenceSettings;
import io.isle.core.accel.fence.HostPoints;
import io.isle.core.accel.managed.ManagedDeviceInternals;
import io.isle.core.accel.queue.HostWaiters;
import io.isle.core.accel.timeline.HostTimelineHandle;
import io.isle.core.accel.timeline.HostTimelines;
import io.isle.core.testing.Until;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HostTimelineTest {
  private static final long SECOND = 1_000_000_000L;
  private final Fixture fixture = new Fixture();
  private final HostTimeline host = fixture.view.hostTimeline(fixture.all, "input");
  private long nowNs;

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void aSubmissionStartsWhenItsPointIsSignalled() throws InterruptedException {
    Context context = fixture.context();
    long point = context.submit(context.writer().after(host, 3));
    assertEquals(0, host.signal(2));
    assertEquals(-Errno.ETIME, context.await(point, 5_000_000));
    assertEquals(0, fixture.device.running.size());
    assertEquals(0, host.signal(3));
    fixture.device.complete(fixture.device.awaitRunning(1).get(0), CompletionSink.SUCCESS);
    assertEquals(0, context.await(point, -1));
  }

  @Test
  void pointsOnlyGrow() {
    assertEquals(-Errno.EINVAL, host.signal(0));
    assertEquals(-Errno.EINVAL, host.signal(-1));
    assertEquals(-Errno.EINVAL, host.signal(HostTimeline.MAX_POINT + 1));
    assertEquals(-Errno.EINPROGRESS, host.status(5));
    assertEquals(0, host.signal(5));
    assertEquals(-Errno.EINVAL, host.signal(5));
    assertEquals(-Errno.EINVAL, host.signal(4));
    assertEquals(5, host.ended());
    assertEquals(0, host.status(4));
    assertEquals(-Errno.EINPROGRESS, host.status(6));
    assertEquals(-Errno.EINVAL, host.status(0));
    assertEquals(0, host.signal(HostTimeline.MAX_POINT));
    assertEquals(-Errno.ESTALE, host.status(5));
    assertEquals(0, host.status(HostTimeline.MAX_POINT));
  }

  @Test
  void threadsSleepForAPoint() throws InterruptedException {
    List<Thread> sleepers = new ArrayList<>();
    int[] woken = new int[20];
    for (int i = 0; i < woken.length; i++) {
      int number = i;
      Runnable sleep = () -> woken[number] = host.await(number + 1, -1) == 0 ? 1 : -1;
      sleepers.add(i % 2 == 0 ? Thread.ofPlatform().start(sleep) : Thread.ofVirtual().start(sleep));
    }
    assertEquals(-Errno.ETIME, host.await(1, 0));
    assertEquals(-Errno.ETIME, host.await(1, 1_000_000));
    for (int i = 0; i < woken.length; i++) {
      assertEquals(0, host.signal(i + 1));
    }
    for (Thread sleeper : sleepers) {
      sleeper.join();
    }
    for (int each : woken) {
      assertEquals(1, each);
    }
    Thread.currentThread().interrupt();
    assertEquals(-Errno.ECANCELED, host.await(100, -1));
    assertTrue(Thread.interrupted());
  }

  private List<Thread> asleep(HostTimeline timeline, int count, BlockingQueue<Integer> answers) {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Thread.Builder kind = i % 2 == 0 ? Thread.ofPlatform().daemon() : Thread.ofVirtual();
      threads.add(kind.start(() -> answers.add(timeline.await(1, -1))));
    }
    assertTrue(
        Until.holds(() -> threads.stream().allMatch(t -> t.getState() == Thread.State.WAITING)),
        "they sleep without a time at which they look again");
    return threads;
  }

  /** More than one look finds: those who leave wake the others. */
  @Test
  void aCrowdOfOnePointIsWoken() throws InterruptedException {
    BlockingQueue<Integer> answers = new LinkedBlockingQueue<>();
    int count = 12 * HostWaiters.AT_ONCE;
    asleep(host, count, answers);
    assertEquals(0, host.signal(1));
    for (int i = 0; i < count; i++) {
      assertEquals(0, answers.poll(30, TimeUnit.SECONDS));
    }
  }

  @Test
  void whoSleepsIsWokenWhenItsCapabilityIsRevoked() throws InterruptedException {
    Capability own = fixture.capabilities.grant("test", Set.of(Permission.ACCEL_COMPUTE), 0);
    HostTimeline brief = fixture.view.hostTimeline(own, "brief");
    HostTimeline stays = fixture.view.hostTimeline(fixture.all, "stays");
    FenceStress.Rung agent = new FenceStress.Rung();
    ((HostTimelineHandle) brief).watch(agent);
    BlockingQueue<Integer> answers = new LinkedBlockingQueue<>();
    asleep(brief, 20, answers);
    fixture.capabilities.revoke(own);
    for (int i = 0; i < 20; i++) {
      assertEquals(-Errno.EREVOKED, answers.poll(30, TimeUnit.SECONDS));
    }
    assertTrue(agent.rung);
    assertEquals(-Errno.EINPROGRESS, stays.status(1));
  }

  /** It was checked before, and nobody tells of it again. */
  @Test
  void oneWhoseCapabilityIsRevokedWhileItIsMadeIsOver() {
    Capability own = fixture.capabilities.grant("test", Set.of(Permission.ACCEL_COMPUTE), 0);
    fixture.capabilities.onChecked(
        () -> {
          fixture.capabilities.onChecked(() -> {});
          fixture.capabilities.revoke(own);
        });
    HostTimelineHandle made = fixture.core.hostTimelines().open(own, "brief");
    assertEquals(Errno.EREVOKED, made.points().ended());
  }

  @Test
  void aDeadlineThatIsSetWhileTheySleepWakesThem() throws InterruptedException {
    BlockingQueue<Integer> answers = new LinkedBlockingQueue<>();
    int count = 4 * HostWaiters.AT_ONCE;
    asleep(host, count, answers);
    host.deadline(1, 1_000_000);
    for (int i = 0; i < count; i++) {
      assertEquals(-Errno.ETIMEDOUT, answers.poll(30, TimeUnit.SECONDS));
    }
  }

  @Test
  void closingEndsWhoeverWaits() throws InterruptedException {
    fixture.device.completeAtOnce = true;
    Context context = fixture.context();
    long waits = context.submit(context.writer().after(host, 1));
    long next = context.submit(context.writer());
    int[] slept = new int[1];
    Thread sleeper = Thread.ofPlatform().start(() -> slept[0] = host.await(1, -1));
    host.close();
    host.close();
    assertEquals(-Errno.ECLOSED, context.await(waits, -1));
    assertEquals(0, context.await(next, -1));
    sleeper.join();
    assertEquals(-Errno.ECLOSED, slept[0]);
    assertEquals(-Errno.ECLOSED, host.signal(1));
    assertEquals(
        -Errno.ECLOSED, context.await(context.submit(context.writer().after(host, 1)), -1));
  }

  @Test
  void aDeadlineThatPassesEndsIt() {
    fixture.device.completeAtOnce = true;
    Context context = fixture.context();
    host.deadline(2, 20_000_000);
    long waits = context.submit(context.writer().after(host, 1).waitAtMost(50 * SECOND));
    assertEquals(-Errno.ETIMEDOUT, context.await(waits, -1));
    assertEquals(-Errno.ETIMEDOUT, host.await(1, -1));
    assertEquals(-Errno.ETIMEDOUT, host.signal(2));
    AccelException over = assertThrows(AccelException.class, () -> host.deadline(3, SECOND));
    assertEquals(Errno.ETIMEDOUT, over.code());
  }

  @Test
  void aDeadlineThatIsMetIsVoidAndALaterOneTakesItsPlace() {
    HostPoints points = new HostPoints(() -> nowNs, point -> {});
    points.deadline(1, 20);
    assertEquals(0, points.signal(1, 0));
    nowNs = 50;
    assertEquals(-Errno.EINPROGRESS, points.status(2));
    points.deadline(2, 60);
    points.deadline(2, 3000);
    nowNs = 100;
    assertEquals(-Errno.EINPROGRESS, points.status(2));
    assertEquals(0, points.signal(2, 0));
    for (long bad : new long[] {0, -1, CommandWriter.MAX_WAIT_NS + 1}) {
      AccelException e = assertThrows(AccelException.class, () -> host.deadline(3, bad));
      assertEquals(Errno.ERANGE, e.code());
      assertTrue(e.getMessage().startsWith("timeoutNs: " + bad), e.getMessage());
    }
    assertEquals(
        Errno.EINVAL, assertThrows(AccelException.class, () -> host.deadline(0, 1)).code());
  }

  @Test
  void theAdministratorsLimitHoldsWhereNoneIsNamed() {
    fixture.core.fences().configure(new FenceSettings(Map.of(), 30));
    fixture.device.completeAtOnce = true;
    Context context = fixture.context();
    long waits = context.submit(context.writer().after(host, 1));
    assertEquals(-Errno.ETIMEDOUT, context.await(waits, -1));
    assertEquals(0, host.signal(1));
    assertEquals(0, context.await(context.submit(context.writer().after(host, 1)), -1));
    assertEquals(1, ManagedDeviceInternals.fence(fixture.device()).timeouts());
  }

  @Test
  void itIsOverWithItsCapability() {
    fixture.device.completeAtOnce = true;
    Capability own = fixture.capabilities.grant("test", Set.of(Permission.ACCEL_COMPUTE), 0);
    HostTimeline short1 = fixture.view.hostTimeline(own, "short");
    Context context = fixture.context();
    long waits = context.submit(context.writer().after(short1, 1));
    fixture.capabilities.revoke(own);
    assertEquals(-Errno.EREVOKED, context.await(waits, -1));
    assertEquals(-Errno.EREVOKED, short1.signal(1));
    assertThrows(TenancyException.class, () -> fixture.view.hostTimeline(own, "again"));
  }

  @Test
  void itIsMadeWithinLimits() {
    for (String bad : new String[] {null, "", " ", "x".repeat(65)}) {
      AccelException e =
          assertThrows(AccelException.class, () -> fixture.view.hostTimeline(fixture.all, bad));
      assertEquals(Errno.EINVAL, e.code());
    }
    Capability none = fixture.capabilities.grant("none", Set.of(Permission.ACCEL_POWER), 0);
    assertThrows(TenancyException.class, () -> fixture.view.hostTimeline(none, "n"));
    for (int i = 1; i < HostTimelines.OF_TENANT; i++) {
      var ignored = fixture.view.hostTimeline(fixture.all, "t" + i);
    }
    AccelException full =
        assertThrows(AccelException.class, () -> fixture.view.hostTimeline(fixture.all, "more"));
    assertEquals(Errno.ENOSPC, full.code());
    host.close();
    HostTimeline next = fixture.view.hostTimeline(fixture.all, "next");
    assertNotEquals(host.id(), next.id());
  }

  @Test
  void itEndsWithItsBundle() {
    fixture.view.close();
    assertEquals(-Errno.ECLOSED, host.signal(1));
    AccelException e =
        assertThrows(AccelException.class, () -> fixture.view.hostTimeline(fixture.all, "late"));
    assertEquals(Errno.ECLOSED, e.code());
  }

  @Test
  void theEndOfASubmissionSignals() throws InterruptedException {
    Context first = fixture.context();
    Context second = fixture.context();
    long good = first.submit(first.writer().signal(host, 1));
    long bad = first.submit(first.writer().signal(host, 2));
    long after = second.submit(second.writer().after(host, 2));
    var running = fixture.device.awaitRunning(2);
    // points end in order: what ends early signals in its turn
    fixture.device.complete(running.get(1), CompletionSink.ERROR);
    assertEquals(-Errno.ETIME, host.await(1, 5_000_000));
    fixture.device.complete(running.get(0), CompletionSink.SUCCESS);
    assertEquals(0, host.await(1, -1));
    assertEquals(0, first.status(good));
    assertEquals(-Errno.EIO, host.await(2, -1));
    assertEquals(-Errno.EIO, first.status(bad));
    fixture.device.complete(fixture.device.awaitRunning(1).get(0), CompletionSink.SUCCESS);
    assertEquals(0, second.await(after, -1));
  }

  @Test
  void eachEndSignalsOnceHoweverTheContextEnds() {
    Context context = fixture.context();
    long point = context.submit(context.writer().signal(host, 1));
    long waits = context.submit(context.writer().after(host, 1).signal(host, 2));
    assertTrue(point > 0 && waits > 0);
    fixture.lose();
    assertEquals(-Errno.EINTR, host.await(1, -1));
    assertEquals(-Errno.EINTR, host.await(2, -1));
    assertEquals(2, host.ended());
  }

  @Test
  void aSubmissionThatOverwritesASlotKeepsTheSignalOfTheOneBefore() {
    fixture.device.completeAtOnce = true;
    Context context = fixture.context(ContextSpec.named("s").withQueue(2, 256));
    for (int i = 1; i <= 500; ) {
      CommandWriter writer = context.writer();
      if (writer != null && context.submit(writer.signal(host, i)) > 0) {
        i++;
      } else {
        Thread.yield();
      }
    }
    assertEquals(0, host.await(500, -1));
  }

  @Test
  void whatWouldWaitForItselfIsRefused() {
    Context context = fixture.context();
    refused(context, context.writer().after(host, 2).signal(host, 2), Errno.EDEADLK, "point: ");
    refused(context, context.writer().signal(host, 2).after(host, 3), Errno.EDEADLK, "point: ");
    refused(
        context,
        context.writer().after(context.timeline(), 1),
        Errno.EDEADLK,
        "point: 1 of this context was not submitted");
    long good = context.submit(context.writer().after(host, 1).signal(host, 2));
    assertEquals(1, good);
    assertEquals(0, host.signal(1));
  }

  @Test
  void mistakesNameTheFieldAndTheLimit() {
    Context context = fixture.context();
    Timeline foreign =
        new Timeline() {
          @Override
          public long id() {
            return host.id();
          }

          @Override
          public long ended() {
            return 9;
          }

          @Override
          public int status(long point) {
            return 0;
          }

          @Override
          public String device() {
            return "";
          }

          @Override
          public void share(Capability owner, String tenant) {
            throw new UnsupportedOperationException();
          }
        };
    assertEquals(0, host.signal(4));
    refused(context, context.writer().after(foreign, 1), Errno.EINVAL, "timeline: ");
    refused(context, context.writer().after(host, -1), Errno.EINVAL, "point: -1");
    refused(
        context,
        context.writer().after(host, HostTimeline.MAX_POINT + 1),
        Errno.EINVAL,
        "point: 140737488355328");
    refused(context, context.writer().signal(host, 4), Errno.EINVAL, "point: 4 is signalled");
    refused(context, context.writer().signal(null, 4), Errno.EINVAL, "timeline: ");
    refused(context, context.writer().signal(host, 0), Errno.EINVAL, "point: 0");
    refused(context, context.writer().signal(host, 5).signal(host, 6), Errno.EINVAL, "signal: ");
    refused(context, context.writer().waitAtMost(0), Errno.ERANGE, "timeoutNs: 0");
    refused(
        context,
        context.writer().waitAtMost(CommandWriter.MAX_WAIT_NS + 1),
        Errno.ERANGE,
        "timeoutNs: 3600000000001");
    CommandWriter many = context.writer();
    for (int i = 0; i < 9; i++) {
      many.after(host, 1);
    }
    refused(context, many, Errno.EINVAL, "waits: a submission has at most 8 waits");
    host.close();
    refused(context, context.writer().signal(host, 9), Errno.ECLOSED, "timeline: ");
  }

  private static void refused(Context context, CommandWriter writer, int code, String why) {
    assertEquals(-code, context.submit(writer));
    assertTrue(writer.mistake().startsWith(Errno.name(code) + ": " + why), () -> writer.mistake());
  }
}
