package io.isle.core.accel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.accel.HostTimeline;
import io.isle.api.base.Errno;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.FenceProtocolSupport;
import io.isle.api.driver.Fences;
import io.isle.core.accel.settings.AccelLimits;
import io.isle.lib.kabi.CommandEnvelope;
import io.isle.lib.kabi.CommandEnvelope.Wait;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Devices that keep waits themselves (FenceProtocolSupport, 42.2.3). */
@Timeout(60)
class HandedWaitsTest {
  /** Keeps the waits of its envelopes, and completes what waits for nothing when told. */
  private static final class Keeping extends FakeDevice implements Fences {
    private record Job(long tag, Map<Long, Long> waits) {}

    private final CompletionSink sink;
    private final FenceProtocolSupport support;
    private final List<Job> jobs = new ArrayList<>();
    private final List<Long> told = new ArrayList<>();

    Keeping(CompletionSink sink, FenceProtocolSupport support) {
      this.sink = sink;
      this.support = support;
    }

    @Override
    public <X> Optional<X> extension(Class<X> type) {
      return type == Fences.class ? Optional.of(type.cast(this)) : Optional.empty();
    }

    @Override
    public FenceProtocolSupport support() {
      return support;
    }

    @Override
    public synchronized int submit(
        long context, long tag, MemorySegment commands, long offset, int length) {
      Map<Long, Long> waits = new TreeMap<>();
      int count = commands.get(CommandEnvelope.U32, offset + CommandEnvelope.WAIT_COUNT);
      for (int i = 0; i < count; i++) {
        long at = offset + CommandEnvelope.HEADER_BYTES + (long) i * Wait.BYTES;
        long value = commands.get(CommandEnvelope.U64, at + Wait.POINT);
        if (value != 0) {
          waits.put(commands.get(CommandEnvelope.U64, at + Wait.TIMELINE), value);
        }
      }
      jobs.add(new Job(tag, waits));
      notifyAll();
      return 0;
    }

    @Override
    public synchronized void signalled(long timeline, long value) {
      told.add(value);
      jobs.forEach(
          job ->
              job.waits()
                  .entrySet()
                  .removeIf(
                      wait ->
                          wait.getKey() == timeline && support.reached(value, wait.getValue())));
      notifyAll();
    }

    @Override
    public synchronized void cancel(long tag) {
      assertTrue(jobs.removeIf(job -> job.tag() == tag));
      assertEquals(0, sink.complete(tag, CompletionSink.ERROR, 0, 0, 0, 0));
      notifyAll();
    }

    synchronized void awaitJobs(int count) throws InterruptedException {
      while (jobs.size() < count) {
        wait(20_000);
      }
    }

    /** Completes the first job that waits for nothing. */
    synchronized void runOne() throws InterruptedException {
      while (jobs.stream().noneMatch(job -> job.waits().isEmpty())) {
        wait(20_000);
      }
      Job job = jobs.stream().filter(each -> each.waits().isEmpty()).findFirst().orElseThrow();
      jobs.remove(job);
      assertEquals(0, sink.complete(job.tag(), CompletionSink.SUCCESS, 1, 2, 1, 0));
    }

    /** Gives back what has not begun. */
    synchronized void giveBack() {
      for (Job job : List.copyOf(jobs)) {
        jobs.remove(job);
        int ignored = sink.complete(job.tag(), CompletionSink.PREEMPTED, 0, 0, 0, -Errno.EAGAIN);
      }
    }

    synchronized Map<Long, Long> waits(int job) {
      return new TreeMap<>(jobs.get(job).waits());
    }

    synchronized int jobs() {
      return jobs.size();
    }
  }

  private final Fixture fixture = new Fixture();
  private final OwnedAttachment secondAttachment = new OwnedAttachment(fixture.core.attach("sim1"));
  private final HostTimeline host = fixture.view.hostTimeline(fixture.all, "input");
  private Keeping first;
  private Keeping second;

  @AfterEach
  void close() {
    for (Keeping device : new Keeping[] {first, second}) {
      if (device != null) {
        host.close();
        device.giveBack();
      }
    }
    fixture.close();
  }

  private void open(FenceProtocolSupport one, FenceProtocolSupport two) {
    fixture.crash();
    first = new Keeping(fixture.attachment.completions(), one);
    fixture.online(first, 2);
    second = new Keeping(secondAttachment.completions(), two);
    var ignored = secondAttachment.rebuild(second, 1);
    secondAttachment.thaw();
  }

  private Context onSecond() {
    return fixture.view.find(DeviceQuery.id("sim1")).open(fixture.all, ContextSpec.named("far"));
  }

  private static FenceProtocolSupport support(
      boolean timelines, boolean hw, boolean cpu, long most) {
    return new FenceProtocolSupport(timelines, hw, cpu, most);
  }

  @Test
  void aDeviceWithHardwareFencesGetsWorkThatWaitsForAnotherOne() throws InterruptedException {
    open(support(true, true, false, 0), support(true, true, false, 0));
    Context source = fixture.context();
    Context target = onSecond();
    long awaited = source.submit(source.writer());
    long point = target.submit(target.writer().after(source.timeline(), awaited));
    second.awaitJobs(1);
    assertEquals(Map.of(source.timeline().id(), 1L), second.waits(0));
    assertEquals("device", modeOf("sim1"));
    first.awaitJobs(1);
    first.runOne();
    second.runOne();
    assertEquals(0, target.await(point, -1));
    assertEquals(List.of(1L), second.told);
  }

  @Test
  void withoutThemOnBothSidesTheCoreWaits() throws InterruptedException {
    open(support(true, false, false, 0), support(true, true, true, 0));
    Context source = fixture.context();
    Context target = onSecond();
    long awaited = source.submit(source.writer());
    long point = target.submit(target.writer().after(source.timeline(), awaited).after(host, 0));
    first.awaitJobs(1);
    assertEquals(-Errno.ETIME, target.await(point, 5_000_000));
    assertEquals(0, second.jobs());
    first.runOne();
    second.awaitJobs(1);
    assertEquals(Map.of(), second.waits(0));
    second.runOne();
    assertEquals(0, target.await(point, -1));
  }

  @Test
  void cpuSignalsAreToldToDevicesThatTakeThem() throws InterruptedException {
    open(support(true, false, true, 0), support(true, false, false, 0));
    Context takes = fixture.context();
    Context leaves = onSecond();
    long here = takes.submit(takes.writer().after(host, 5));
    long there = leaves.submit(leaves.writer().after(host, 5));
    first.awaitJobs(1);
    assertEquals(Map.of(host.id(), 5L), first.waits(0));
    assertEquals(-Errno.ETIME, leaves.await(there, 5_000_000));
    assertEquals(0, second.jobs());
    assertEquals(0, host.signal(6));
    first.runOne();
    second.runOne();
    assertEquals(0, takes.await(here, -1));
    assertEquals(0, leaves.await(there, -1));
    assertEquals(List.of(), second.told);
  }

  @Test
  void aWaitThatFailsOnTheDeviceIsTakenFromIt() throws InterruptedException {
    open(support(true, false, true, 0), support(true, false, true, 0));
    Context context = fixture.context();
    long late = context.submit(context.writer().after(host, 1).waitAtMost(1_000_000_000));
    first.awaitJobs(1);
    assertEquals(-Errno.ETIMEDOUT, context.await(late, -1));
    Context other = onSecond();
    long closed = other.submit(other.writer().after(host, 1));
    second.awaitJobs(1);
    host.close();
    assertEquals(-Errno.ECLOSED, other.await(closed, -1));
    assertEquals(0, first.jobs() + second.jobs());
  }

  @Test
  void valuesWrapAndWhatIsTooFarAheadWaitsInTheCore() throws InterruptedException {
    open(support(true, false, true, 7), support(true, false, false, 0));
    assertEquals(0, host.signal(6));
    Context context = fixture.context();
    long near = context.submit(context.writer().after(host, 9));
    first.awaitJobs(1);
    assertEquals(Map.of(host.id(), 1L), first.waits(0));
    Context another = fixture.context();
    long far = another.submit(another.writer().after(host, 12));
    assertEquals(-Errno.ETIME, another.await(far, 5_000_000));
    assertEquals(1, first.jobs());
    assertEquals(0, host.signal(9));
    first.runOne();
    assertEquals(0, context.await(near, -1));
    first.awaitJobs(1);
    assertEquals(Map.of(host.id(), 4L), first.waits(0));
    assertEquals(0, host.signal(12));
    first.runOne();
    assertEquals(0, another.await(far, -1));
  }

  @Test
  void noMoreIsInFlightThanValuesCanBeToldApart() throws InterruptedException {
    open(support(true, false, false, 7), support(true, false, false, 0));
    Context context = fixture.context();
    for (int i = 1; i <= 3; i++) {
      assertEquals(i, context.submit(context.writer()));
    }
    assertNull(context.writer());
    assertEquals(-Errno.EAGAIN, context.submit(null));
    first.runOne();
    assertEquals(0, context.await(1, -1));
    assertEquals(4, context.submit(context.writer()));
  }

  @Test
  void ofFencesThatAreNoTimelinesOnlyTheNewestIsKept() throws InterruptedException {
    open(support(false, true, false, 0), support(true, true, false, 0));
    Context source = fixture.context();
    Context target = onSecond();
    assertEquals(1, source.submit(source.writer()));
    assertEquals(2, source.submit(source.writer()));
    long older = target.submit(target.writer().after(source.timeline(), 1));
    first.awaitJobs(2);
    assertEquals(-Errno.ETIME, target.await(older, 5_000_000));
    assertEquals(0, second.jobs());
    long newest = target.submit(target.writer().after(source.timeline(), 2));
    first.runOne();
    second.runOne();
    assertEquals(0, target.await(older, -1));
    second.awaitJobs(1);
    assertEquals(Map.of(source.timeline().id(), 2L), second.waits(0));
    first.runOne();
    second.runOne();
    assertEquals(0, target.await(newest, -1));
  }

  @Test
  void whatTheDeviceGivesBackKeepsItsWaits() throws InterruptedException {
    open(support(true, false, true, 0), support(true, false, false, 0));
    Context context = fixture.context();
    long point = context.submit(context.writer().after(host, 1));
    first.awaitJobs(1);
    first.giveBack();
    first.awaitJobs(1);
    assertEquals(Map.of(host.id(), 1L), first.waits(0));
    assertEquals(0, host.signal(1));
    first.runOne();
    assertEquals(0, context.await(point, -1));
  }

  @Test
  void workThatWaitsLeavesRoomForWhatItWaitsFor() throws InterruptedException {
    open(support(true, false, true, 0), support(true, false, false, 0));
    List<Context> all = new ArrayList<>();
    fixture.core.configure(new AccelLimits(2, 5000, 250, 10_000, 10));
    for (int i = 0; i < 4; i++) {
      Context context = fixture.context();
      all.add(context);
      assertEquals(1, context.submit(context.writer().after(host, 1)));
    }
    Context signals = fixture.context();
    assertEquals(1, signals.submit(signals.writer().signal(host, 1)));
    first.awaitJobs(2);
    first.runOne();
    for (int i = 0; i < all.size(); i++) {
      first.runOne();
    }
    for (Context context : all) {
      assertEquals(0, context.await(1, -1));
    }
  }

  /** Nothing that was handed over is taken back, and what it waits for still starts. */
  @Test
  void aLimitThatIsLoweredStopsNobody() throws InterruptedException {
    open(support(true, false, true, 0), support(true, false, false, 0));
    List<Context> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Context context = fixture.context();
      all.add(context);
      assertEquals(1, context.submit(context.writer().after(host, 1)));
    }
    first.awaitJobs(4);
    fixture.core.configure(new AccelLimits(2, 5000, 250, 10_000, 10));
    Context late = fixture.context();
    all.add(late);
    assertEquals(1, late.submit(late.writer().after(host, 1)));
    Context signals = fixture.context();
    assertEquals(1, signals.submit(signals.writer().signal(host, 1)));
    first.runOne();
    assertEquals(0, signals.await(1, -1));
    for (int i = 0; i < all.size(); i++) {
      first.runOne();
    }
    for (Context context : all) {
      assertEquals(0, context.await(1, -1));
    }
  }

  @Test
  void noMoreAreHandedOverThanALoweredLimitAllows() throws InterruptedException {
    open(support(true, false, true, 0), support(true, false, false, 0));
    for (int i = 0; i < 4; i++) {
      Context context = fixture.context();
      assertEquals(1, context.submit(context.writer().after(host, 1)));
    }
    first.awaitJobs(4);
    fixture.core.configure(new AccelLimits(2, 5000, 250, 10_000, 10));
    Context late = fixture.context();
    assertEquals(1, late.submit(late.writer().after(host, 1)));
    Context runs = fixture.context();
    for (int i = 1; i <= 3; i++) {
      assertEquals(i, runs.submit(runs.writer()));
      first.runOne();
      assertEquals(0, runs.await(i, -1));
    }
    assertEquals(4, first.jobs());
  }

  /** What starts again on a device that keeps no waits waits in the core. */
  @Test
  void theNextDeviceMayLeaveThemToTheCore() throws InterruptedException {
    open(support(true, false, true, 0), support(true, false, false, 0));
    Context context = fixture.context();
    long point = context.submit(context.writer().after(host, 1).replayable());
    first.awaitJobs(1);
    fixture.crash();
    ScriptedDevice next = new ScriptedDevice(fixture.attachment.completions());
    next.completeAtOnce = true;
    fixture.recover(next);
    assertEquals(-Errno.ETIME, context.await(point, 5_000_000));
    assertEquals("core", modeOf("sim0"));
    assertEquals(0, host.signal(1));
    assertEquals(0, context.await(point, -1));
    first = null;
  }

  private String modeOf(String device) {
    return new AdminView(fixture.core)
        .fenceDevices().stream()
            .filter(each -> each.device().equals(device))
            .findFirst()
            .orElseThrow()
            .mode();
  }
}
