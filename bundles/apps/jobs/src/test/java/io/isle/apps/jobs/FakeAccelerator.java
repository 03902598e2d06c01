package io.isle.apps.jobs;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Accelerator;
import io.isle.api.accel.AcceleratorInfo;
import io.isle.api.accel.Accelerators;
import io.isle.api.accel.Context;
import io.isle.api.accel.ContextSpec;
import io.isle.api.accel.DeviceQuery;
import io.isle.api.accel.GroupUsage;
import io.isle.api.accel.HostTimeline;
import io.isle.api.accel.ProgramKind;
import io.isle.api.accel.ProgramSource;
import io.isle.api.base.Errno;
import io.isle.api.device.DeviceClass;
import io.isle.api.device.DeviceState;
import io.isle.api.device.Recovery;
import io.isle.api.device.RecoveryCause;
import io.isle.api.device.RecoveryLog;
import io.isle.api.tenancy.Capability;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One device, {@code fake0} unless renamed, that really computes: a thread a context runs
 * submissions in order on the JVM's own memory. Faults: {@link #failAt}, {@link #plan}; a gate that
 * holds the device: {@link #gate}.
 */
final class FakeAccelerator implements Accelerators, Accelerator, RecoveryLog {
  final long memoryBytes;
  final AtomicLong used = new AtomicLong();
  final AtomicInteger contexts = new AtomicInteger();
  final AtomicInteger submissions = new AtomicInteger();

  /** Called when the counters of a context are read. */
  volatile Runnable onCounters = () -> {};

  /** Submission number (from 1) that ends with {@link #failStatus}, and all after it. */
  volatile int failAt = Integer.MAX_VALUE;

  volatile int failStatus = -Errno.EINTR;

  /** What its driver says then; nothing if it is empty. */
  volatile String failLine = "";

  /** Work waits for this; and {@link #reached} tells that some came. */
  volatile CountDownLatch gate = new CountDownLatch(0);

  volatile CountDownLatch reached = new CountDownLatch(1);

  final FakePlan plan = new FakePlan();

  /** Work is done before its submission returns. */
  volatile boolean quick;

  /** Whether the driver describes the kernels of files. */
  volatile boolean describes = true;

  /** Whether the device works on a copy of the memory that the CPU sees. */
  volatile boolean staging;

  /** The dispatches of all submissions, in order. */
  final List<FakeDispatch> dispatched = Collections.synchronizedList(new ArrayList<>());

  /** Where programs came from, in the order of their loads. */
  final List<ProgramSource> sources = Collections.synchronizedList(new ArrayList<>());

  /** Longest envelope of the newest context. */
  volatile int commandBytes;

  /** Dispatches that were run. */
  final AtomicLong ran = new AtomicLong();

  /** What {@code down-u32} leaves when it ends the driver; none if it is negative. */
  volatile long crashWhen = -1;

  /** Bytes that submissions copied from or to the memory that the CPU sees. */
  final AtomicLong copied = new AtomicLong();

  /** Bytes that the device was told to fill. */
  final AtomicLong filled = new AtomicLong();

  /** Programs that were loaded. */
  final AtomicInteger loads = new AtomicInteger();

  volatile Set<ProgramKind> kinds = EnumSet.of(ProgramKind.BUILTIN);

  volatile String name = "fake0";

  /** What ends a driver from outside. */
  static final int SIGKILL = 9;

  /** What the log says that ends the driver. */
  volatile int signal = 11;

  /** Whose recoveries the log tells. */
  volatile String logged = "fake0";

  final AtomicInteger submitted = new AtomicInteger();

  /** Results are wrong, though work ends well. */
  volatile boolean spoils;

  /** Accesses of mapped memory that are to find it unmapped in their midst. */
  final AtomicInteger unmapped = new AtomicInteger();

  /** Maps that the device refuses, as one that has just begun to recover. */
  final AtomicInteger unmappable = new AtomicInteger();

  /** A crash is over at once; else when {@link #recover} is called. */
  volatile boolean recoversAtOnce = true;

  /** Times that the device is not found after it was lost. */
  final AtomicInteger absences = new AtomicInteger();

  private final Set<FakeContext> open = new HashSet<>();
  private final List<Recovery> log = new ArrayList<>();
  private volatile int epoch = 1;

  /** How often work ended with its driver or its context. */
  private volatile int endings;

  private boolean recovering;

  FakeAccelerator(long memoryBytes) {
    this.memoryBytes = memoryBytes;
  }

  @Override
  public List<AcceleratorInfo> list() {
    return recovering() ? List.of() : List.of(info());
  }

  @Override
  public Accelerator find(DeviceQuery query) {
    if (absences.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new AccelException(Errno.ENODEV, "fake0 is not open");
    }
    if (query.id().filter(id -> !id.equals(name)).isPresent()
        || !FakePrograms.ENTRIES.keySet().containsAll(query.builtins())
        || !kinds.containsAll(query.kinds())) {
      throw new AccelException(Errno.ENODEV, "no device fits " + query + "; there is fake0");
    }
    return this;
  }

  @Override
  public String id() {
    return name;
  }

  @Override
  public AcceleratorInfo info() {
    if (recovering()) {
      throw new AccelException(Errno.EINTR, name + " recovers");
    }
    return new AcceleratorInfo(
        name,
        DeviceClass.GPU_COMPUTE,
        1,
        1,
        memoryBytes,
        used.get(),
        16,
        contexts.get(),
        4096,
        "none",
        "round_robin",
        List.copyOf(kinds),
        List.copyOf(FakePrograms.ENTRIES.keySet()));
  }

  @Override
  public DeviceState state() {
    return DeviceState.ACTIVE;
  }

  @Override
  public int epoch() {
    return epoch;
  }

  @Override
  public synchronized Context open(Capability capability, ContextSpec spec) {
    if (!capability.valid()) {
      throw new AccelException(Errno.EREVOKED, "revoked");
    }
    contexts.incrementAndGet();
    commandBytes = spec.commandBytes();
    FakeContext context = new FakeContext(this, spec);
    open.add(context);
    return context;
  }

  synchronized void closed(FakeContext context) {
    contexts.decrementAndGet();
    open.remove(context);
  }

  @Override
  public void setPerformanceLevel(Capability capability, String level) {
    throw new UnsupportedOperationException();
  }

  @Override
  public GroupUsage usage(Capability capability) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<GroupUsage> usage(Capability capability, String group) {
    throw new UnsupportedOperationException();
  }

  @Override
  public HostTimeline hostTimeline(Capability capability, String name) {
    throw new UnsupportedOperationException();
  }

  /** Number of the next submission that runs, once the gate lets it. */
  int next() throws InterruptedException {
    int number = submissions.incrementAndGet();
    reached.countDown();
    gate.await();
    return number;
  }

  /** The status of a submission that meets no event of the plan. */
  int status(int number) {
    return number >= failAt ? failStatus : 0;
  }

  /** Ends the driver: contexts are interrupted, memory is lost. */
  synchronized void crash() {
    open.forEach(FakeContext::loseContents);
    epoch++;
    endings++;
    enter(RecoveryCause.Kind.CRASH, System.currentTimeMillis());
    recovering = !recoversAtOnce;
  }

  /** Replaces the driver; work that has not begun stays pending. */
  synchronized void update() {
    open.forEach(FakeContext::carryOver);
    epoch++;
    notifyAll();
  }

  int endings() {
    return endings;
  }

  /** The log tells of a recovery that is over. */
  synchronized void enter(RecoveryCause.Kind kind, long startedEpochMs) {
    log.add(
        new Recovery(
            logged,
            log.size() + 1,
            new RecoveryCause(
                kind,
                "the driver host (pid 7) was ended by signal " + signal + ": in copy",
                signal),
            startedEpochMs,
            epoch - 1,
            epoch,
            1,
            true,
            Recovery.Outcome.RECOVERED,
            List.of(new Recovery.PhaseTime(Recovery.Phase.FREEZE, 5)),
            5,
            Recovery.Work.NONE));
    notifyAll();
  }

  synchronized void recover() {
    recovering = false;
    notifyAll();
  }

  /** Ends all contexts with {@code code}; new ones may be opened. */
  synchronized void end(int code) {
    epoch++;
    endings++;
    List.copyOf(open).forEach(context -> context.end(code));
    recovering = false;
    notifyAll();
  }

  synchronized boolean recovering() {
    return recovering;
  }

  /** Waits on this object; for {@link FakeContext#awaitUsable}. */
  synchronized void await(long ns) throws InterruptedException {
    TimeUnit.NANOSECONDS.timedWait(this, ns);
  }

  @Override
  public synchronized List<Recovery> of(String device) {
    return device.equals(logged) ? List.copyOf(log) : List.of();
  }

  @Override
  public List<Recovery> all() {
    return of(logged);
  }

  @Override
  public synchronized Optional<Recovery> await(String device, long after, Duration limit)
      throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    while (true) {
      Optional<Recovery> next = of(device).stream().filter(r -> r.number() > after).findFirst();
      long left = end - System.nanoTime();
      if (next.isPresent() || left <= 0) {
        return next;
      }
      await(left);
    }
  }
}
