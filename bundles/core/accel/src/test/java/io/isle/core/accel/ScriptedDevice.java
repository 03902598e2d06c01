package io.isle.core.accel;

import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.driver.AllocArgs;
import io.isle.api.driver.Allocation;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.ComputeReports;
import io.isle.api.driver.ContextArgs;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.DriverLog;
import io.isle.api.driver.Kernel;
import io.isle.api.driver.Kernels;
import io.isle.api.driver.PageRetirement;
import io.isle.api.driver.PerformanceLevel;
import io.isle.api.driver.PowerState;
import io.isle.api.driver.PreemptReason;
import io.isle.api.driver.ProgramEntry;
import io.isle.api.driver.ProgramSources;
import io.isle.api.driver.Programs;
import io.isle.api.driver.Utilization;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A device in the JVM that does what the test says: completes at once, or when told. */
public final class ScriptedDevice extends FakeDevice implements Programs, Kernels, PageRetirement {
  volatile boolean reports;

  /** Makes entries of a source, or throws. */
  public interface Compiler {
    List<ProgramEntry> compile(Kind kind, String source, String options);
  }

  /** A submission as the device got it. */
  public record Submission(long context, long tag, long offset, int length) {}

  final CompletionSink sink;
  final List<Submission> running = new ArrayList<>();
  final Map<Long, ContextArgs> contexts = new LinkedHashMap<>();
  final Map<Long, AllocArgs> memory = new LinkedHashMap<>();
  private final Map<Long, MemorySegment> bytes = new ConcurrentHashMap<>();
  final Set<Long> programs = new LinkedHashSet<>();
  volatile Set<Kind> kinds = Set.of(Kind.BUILTIN, Kind.OPENCL_C);
  public volatile Compiler compiler = (kind, source, options) -> builtins();

  /** Kernels of every program; null if the driver describes none. */
  public volatile List<Kernel> kernels;

  /** How often kernels were asked for. */
  final AtomicInteger described = new AtomicInteger();

  /** Takes programs of several files; null if it takes none. */
  volatile ProgramSources files;

  volatile boolean alive = true;
  public volatile boolean completeAtOnce;

  /** What the driver logged; null if it cannot be asked. */
  volatile DriverLog log;

  public volatile int room = Integer.MAX_VALUE;
  volatile int refusal;

  /** Status of what is preempted; -1 when nothing can be. */
  volatile int preempted = -1;

  /** For other reasons than a limit, how many more have begun; the rest is handed back. */
  volatile int begun;

  /** 0: contexts and device can be reset, 1: the device alone, -1: neither. */
  volatile int resetsWork;

  volatile DeviceInfo.Preemption granularity = DeviceInfo.Preemption.INSTRUCTION;
  private int preempts;

  /** Contexts in the order in which they were destroyed. */
  final List<Long> destroyed = Collections.synchronizedList(new ArrayList<>());

  /** Why contexts were asked to leave, in order. */
  final List<Integer> reasons = Collections.synchronizedList(new ArrayList<>());

  /** Contexts that were asked to leave, in order. */
  final List<Long> asked = Collections.synchronizedList(new ArrayList<>());

  volatile boolean retires;
  final List<Long> resets = Collections.synchronizedList(new ArrayList<>());
  final List<Range> faulty = Collections.synchronizedList(new ArrayList<>());
  private volatile PerformanceLevel level = PerformanceLevel.AUTO;
  volatile RuntimeException thrown;
  volatile DriverException thrownInAllocate;
  volatile DriverException thrownInFree;

  /** Memory that it was told to free, in order. */
  final List<Long> freed = Collections.synchronizedList(new ArrayList<>());

  /** Why it says nothing of what it can compute; null if it does. */
  volatile DriverException thrownInReports;

  volatile Runnable inCreate = () -> {};
  volatile Runnable inSubmit = () -> {};
  volatile Runnable inReset = () -> {};

  /** Between a page's end and the healthy memory in its place. */
  volatile Runnable inRetire = () -> {};

  public int maxContexts = 8;
  private int goodCreations;
  private DriverException failure;

  public ScriptedDevice(CompletionSink sink) {
    this.sink = sink;
  }

  /** Makes so many contexts, then fails once. */
  void failAfter(int contextsFirst, DriverException thrownThen) {
    goodCreations = contextsFirst;
    failure = thrownThen;
  }

  @Override
  public DeviceInfo info() {
    return info(maxContexts, granularity);
  }

  @Override
  public <X> Optional<X> extension(Class<X> type) {
    if (type == ProgramSources.class && files != null) {
      return Optional.of(type.cast(files));
    }
    if (type == ComputeReports.class && reports) {
      return Optional.of(type.cast(new Counters()));
    }
    if (type == DriverLog.class && log != null) {
      return Optional.of(type.cast(log));
    }
    if (type == PageRetirement.class && retires) {
      return Optional.of(type.cast(this));
    }
    if (type == Kernels.class && kernels != null) {
      return Optional.of(type.cast(this));
    }
    return type == Programs.class ? Optional.of(type.cast(this)) : Optional.empty();
  }

  /** Counts as many kernels as the context's index says. */
  private final class Counters implements ComputeReports {
    @Override
    public ComputeCaps caps() {
      if (thrownInReports != null) {
        throw thrownInReports;
      }
      return new ComputeCaps(1, 2, 3, 4, 5, 6, 7, 8);
    }

    @Override
    public PerfCounters counters(long context) {
      return new PerfCounters(
          0, 0, 0, Ids.index(context), 0, 0, 0, java.util.Collections.nCopies(8, 0L));
    }
  }

  @Override
  public synchronized void createContext(long context, ContextArgs args) {
    inCreate.run();
    if (failure != null && goodCreations-- == 0) {
      throw failure;
    }
    contexts.put(context, args);
  }

  @Override
  public synchronized void destroyContext(long context) {
    endAll(context);
    destroyed.add(context);
    contexts.remove(context);
  }

  @Override
  public synchronized void resetContext(long context) {
    resets.add(context);
    if (resetsWork != 0) {
      return;
    }
    endAll(context);
  }

  private void endAll(long context) {
    List<Submission> ending = running.stream().filter(s -> s.context() == context).toList();
    ending.forEach(s -> complete(s, CompletionSink.ERROR));
  }

  @Override
  public void resetDevice() {
    inReset.run();
    synchronized (this) {
      resets.add(-1L);
      if (resetsWork >= 0) {
        List.copyOf(running).forEach(s -> complete(s, CompletionSink.ERROR));
      }
    }
  }

  @Override
  public synchronized Allocation allocate(long context, long id, AllocArgs args) {
    if (thrownInAllocate != null) {
      throw thrownInAllocate;
    }
    if (args.size() > 1 << 20) {
      throw new DriverException(Errno.ENOMEM, "size: more than the device has");
    }
    memory.put(id, args);
    MemorySegment cpu = Arena.ofAuto().allocate(args.size(), 64);
    bytes.put(id, cpu);
    return new Allocation(args.size(), Optional.of(cpu));
  }

  @Override
  public synchronized void free(long id) {
    freed.add(id);
    if (thrownInFree != null) {
      throw thrownInFree;
    }
    memory.remove(id);
  }

  /** What the CPU sees of a memory object. */
  MemorySegment bytes(long id) {
    return bytes.get(id);
  }

  @Override
  public Utilization utilization() {
    return new Utilization(50, 25, 4096, 1 << 20, contexts.size(), 40_000, 10_000, 1000);
  }

  @Override
  public PowerState power() {
    return new PowerState(0, level, 0, 0, 0, 0, false);
  }

  @Override
  public void setPerformanceLevel(PerformanceLevel now) {
    level = now;
  }

  @Override
  public List<Range> faulty() {
    return List.copyOf(faulty);
  }

  @Override
  public void retire(Range range) {
    inRetire.run();
    MemorySegment used = bytes.get(range.memory());
    long length = Math.min(range.length(), used.byteSize() - range.offset());
    used.asSlice(range.offset(), length).fill((byte) 0);
    faulty.remove(range);
  }

  @Override
  public long retiredPages() {
    return 0;
  }

  @Override
  public synchronized int submit(
      long context, long tag, MemorySegment commands, long offset, int length) {
    inSubmit.run();
    if (thrown != null) {
      throw thrown;
    }
    if (refusal != 0) {
      return refusal;
    }
    if (running.size() >= room) {
      return -Errno.EAGAIN;
    }
    Submission submission = new Submission(context, tag, offset, length);
    running.add(submission);
    if (completeAtOnce) {
      complete(submission, CompletionSink.SUCCESS);
    }
    notifyAll();
    return 0;
  }

  public synchronized int complete(Submission submission, int status) {
    return complete(submission, status, 0);
  }

  synchronized int complete(Submission submission, int status, int detail) {
    return complete(submission, status, detail, 5);
  }

  synchronized int complete(Submission submission, int status, int detail, long busyNs) {
    return complete(submission, status, detail, busyNs, 10);
  }

  /**
   * @param startNs when it began
   */
  synchronized int complete(
      Submission submission, int status, int detail, long busyNs, long startNs) {
    running.remove(submission);
    return sink.complete(submission.tag(), status, startNs, startNs + 10, busyNs, detail);
  }

  /** Gives work back that has not begun. */
  void handBack(Submission submission) {
    int ignored = complete(submission, CompletionSink.PREEMPTED, -Errno.EAGAIN);
  }

  /** Waits until a context was asked to leave. */
  synchronized void awaitPreempt() throws InterruptedException {
    while (preempts == 0) {
      wait(20_000);
    }
  }

  /** Waits until so many are on the device. */
  public synchronized List<Submission> awaitRunning(int count) throws InterruptedException {
    while (running.size() < count) {
      wait(20_000);
    }
    return List.copyOf(running);
  }

  @Override
  public synchronized int preempt(long context, int reason) {
    preempts++;
    reasons.add(reason);
    asked.add(context);
    notifyAll();
    if (preempted < 0) {
      return -Errno.ENOTSUP;
    }
    List<Submission> own = running.stream().filter(s -> s.context() == context).toList();
    for (int i = 0; i < own.size(); i++) {
      if (i == 0 && reason == PreemptReason.EXECUTION_TIMEOUT
          || reason != PreemptReason.EXECUTION_TIMEOUT && i < begun) {
        complete(own.get(i), preempted);
      } else if (reason != PreemptReason.EXECUTION_TIMEOUT) {
        handBack(own.get(i));
      }
    }
    return 0;
  }

  @Override
  public synchronized void close() {
    List.copyOf(running).forEach(s -> complete(s, CompletionSink.ERROR));
  }

  @Override
  public boolean alive() {
    return alive;
  }

  @Override
  public Set<Kind> kinds() {
    return kinds;
  }

  @Override
  public List<ProgramEntry> builtins() {
    return List.of(
        new ProgramEntry(
            "sum",
            0,
            List.of(
                new ProgramEntry.Argument(ProgramEntry.Kind.BUFFER, 1),
                new ProgramEntry.Argument(ProgramEntry.Kind.U64, 0),
                new ProgramEntry.Argument(ProgramEntry.Kind.BUFFER, 2))));
  }

  @Override
  public List<ProgramEntry> load(long context, long program, Kind kind, byte[] source) {
    return load(context, program, kind, source, "");
  }

  @Override
  public synchronized List<ProgramEntry> load(
      long context, long program, Kind kind, byte[] source, String options) {
    String text = new String(source, java.nio.charset.StandardCharsets.UTF_8);
    List<ProgramEntry> made;
    if (kind != Kind.BUILTIN) {
      made = compiler.compile(kind, text, options);
    } else if (text.equals("sum")) {
      made = builtins();
    } else {
      throw new DriverException(Errno.ENOENT, "no such program");
    }
    programs.add(program);
    return made;
  }

  @Override
  public synchronized List<Kernel> kernels(long program) {
    if (!programs.contains(program)) {
      throw new DriverException(Errno.ENOENT, "no such program");
    }
    described.incrementAndGet();
    return kernels;
  }

  @Override
  public synchronized void unload(long program) {
    programs.remove(program);
  }
}
