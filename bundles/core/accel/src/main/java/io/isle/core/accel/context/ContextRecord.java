package io.isle.core.accel.context;

import io.isle.api.accel.ContextInfo;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.Usage;
import io.isle.api.base.Ids;
import io.isle.api.base.MonotonicClock;
import io.isle.api.device.Priority;
import io.isle.api.tenancy.Capability;
import io.isle.core.accel.admission.ContextRules;
import io.isle.core.accel.admission.Membership;
import io.isle.core.accel.device.CurrentOpening;
import io.isle.core.accel.device.OpenDevice;
import io.isle.core.accel.group.Bandwidth;
import io.isle.core.accel.machine.SchedulingSpec;
import io.isle.core.accel.memory.MemoryBudget;
import io.isle.core.accel.queue.CompletionLog;
import io.isle.core.accel.queue.ContextQueue;
import io.isle.core.accel.queue.QueueRecord;
import io.isle.core.accel.usage.ShareWindow;
import io.isle.core.accel.usage.Tally;
import io.isle.core.accel.usage.WaitTimes;
import java.lang.invoke.VarHandle;

/**
 * The whole record of a context on its device: the parameters of its opening, and where its queue
 * lies. Once it is sealed, every point has its final status. Thread-safe.
 */
public final class ContextRecord extends QueueRecord {
  private final DeviceServices services;
  private final Membership membership;
  private final long memoryLimit;
  private final long executionLimitUs;
  private final long offset;

  /** Why the next device could not have it; null if it could. */
  private volatile String refusal;

  /** Why it was closed by another than its tenant; null if it was not. */
  private volatile String eviction;

  private final ShareWindow window = new ShareWindow(MonotonicClock.SYSTEM.nanoTime(), 0);

  /**
   * @param offset of its slots in the command segment
   */
  public ContextRecord(
      DeviceServices services,
      OpenDevice device,
      Membership membership,
      int index,
      long offset,
      ContextQueue queue) {
    super(index, queue);
    this.services = services;
    this.membership = membership;
    this.memoryLimit = ContextRules.memoryLimit(spec(), capability());
    this.executionLimitUs = ContextRules.executionLimitUs(spec(), device.info());
    this.offset = offset;
  }

  @Override
  protected String name() {
    return spec().name();
  }

  @Override
  public String closedWhy() {
    String why = eviction;
    return why == null ? super.closedWhy() : " was closed: " + why;
  }

  /** It is about to be closed by another than its tenant: said to whoever asks why. */
  public void evicted(String why) {
    eviction = why;
  }

  @Override
  public synchronized void lose() {
    super.lose();
    membership.lose();
  }

  @Override
  protected String lostWhy() {
    String why = refusal;
    return why == null ? services.currentOpening().lostWhy() : why;
  }

  @Override
  public String who() {
    return services.deviceId()
        + ": context "
        + spec().name()
        + " of tenant "
        + capability().tenant();
  }

  /** The next device cannot have it: said to whoever asks why it is lost. */
  public void refused(String why) {
    refusal = "the replaced driver refused this context: " + why;
  }

  /** It is lost while its device stays: said to whoever asks why. */
  public void lostFor(String why) {
    refusal = why;
  }

  /** The services of the managed device that the context was opened on. */
  public DeviceServices services() {
    return services;
  }

  /** Whether another context was opened on the same managed device. */
  boolean isBeside(ContextRecord other) {
    return isAt(other.services.currentOpening());
  }

  /** Whether the context was opened on the managed device that has this opening. */
  public boolean isAt(CurrentOpening currentOpening) {
    return services.currentOpening() == currentOpening;
  }

  @Override
  public Capability capability() {
    return membership.capability();
  }

  /** The context's membership in its group. */
  public Membership membership() {
    return membership;
  }

  /** The group of tenants that it belongs to; one that nobody made counts as the root. */
  public String group() {
    return membership.group();
  }

  /** How it is scheduled. */
  public SchedulingSpec scheduling() {
    return new SchedulingSpec(group(), priority(), guaranteedUs(), bandwidthPeriodUs());
  }

  public ContextSpec spec() {
    return membership.spec();
  }

  /** The one that was asked for, or its group's when it was opened. */
  @Override
  public Priority priority() {
    return membership.priority();
  }

  @Override
  public boolean keepsPending() {
    return spec().keepPending();
  }

  /** Its own guarantee: microseconds of the whole device in each period; 0 for none. */
  long guaranteedUs() {
    return membership.guarantee().map(Bandwidth::quotaUs).orElse(0L);
  }

  /** The period of {@link #guaranteedUs} in microseconds; 0 for none. */
  long bandwidthPeriodUs() {
    return membership.guarantee().map(Bandwidth::periodUs).orElse(0L);
  }

  /** Bytes of device memory, 0 for no limit. */
  public long memoryLimit() {
    return memoryLimit;
  }

  /** Longest time of a submission in microseconds, 0 for no limit. */
  public long executionLimitUs() {
    return executionLimitUs;
  }

  public long offset() {
    return offset;
  }

  /** The agent ends nothing more of it: what has not ended by now has this code. */
  public void seal(int code) {
    queue().timeline.seal(code);
    // as the agent does: sleepers register, then look at the timeline
    VarHandle.fullFence();
    queue().tellSealed();
    // watchers of its device's timelines do not stand among them
    services.bell().ring();
  }

  /** Submissions that wait. */
  public long pending() {
    long submitted = queue().timeline.submitted();
    long completed = Math.min(submitted, queue().log.completed());
    return Math.max(0, submitted - completed - queue().log.running());
  }

  /** What it had so far. */
  public Tally.Counts counts() {
    CompletionLog log = queue().log;
    return new Tally.Counts(
        log.givenNs(),
        log.busyNs(),
        queue().timeline.submitted(),
        log.preemptions(),
        log.overruns(),
        log.throttledNs());
  }

  public ContextInfo info(MemoryBudget memory) {
    Usage usage = usage(memory);
    return new ContextInfo(
        Ids.text(id()),
        spec().name(),
        capability().tenant(),
        group(),
        services.deviceId(),
        priority(),
        state().text(),
        usage.memoryBytes(),
        memoryLimit,
        executionLimitUs,
        usage.submitted(),
        Math.min(usage.submitted(), queue().log.completed()),
        queue().log.failed(),
        (int) usage.pending(),
        (int) usage.inFlight(),
        usage.busyNs(),
        usage,
        queue().estimates.read());
  }

  private Usage usage(MemoryBudget memory) {
    Tally.Counts counts = counts();
    WaitTimes.Waits waits = queue().waits.waits();
    ShareWindow.Share share;
    synchronized (window) {
      share = window.look(MonotonicClock.SYSTEM.nanoTime(), counts.givenNs());
    }
    return new Usage(
        membership.guarantee().map(own -> own.share().percent()).orElse(0.0),
        share.percent(),
        share.windowNs(),
        counts.givenNs(),
        counts.busyNs(),
        counts.submitted(),
        pending(),
        queue().log.running(),
        waits.p50Ns(),
        waits.p99Ns(),
        memory.used(),
        memory.peak(),
        counts.preemptions(),
        counts.overruns(),
        counts.throttledNs());
  }
}
