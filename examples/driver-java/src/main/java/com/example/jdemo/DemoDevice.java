package com.example.jdemo;

import io.isle.api.base.Errno;
import io.isle.api.device.DeviceClass;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.AllocArgs;
import io.isle.api.driver.AllocArgs.PageSize;
import io.isle.api.driver.Allocation;
import io.isle.api.driver.ContextArgs;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.DriverServices;
import io.isle.api.driver.PerformanceLevel;
import io.isle.api.driver.PowerState;
import io.isle.api.driver.Programs;
import io.isle.api.driver.Utilization;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** An open device. {@link AccelDevice} defines the lanes. */
final class DemoDevice implements AccelDevice {
  private static final int FLAGS = AllocArgs.PINNED | AllocArgs.CPU_VISIBLE | AllocArgs.COHERENT;

  /** Flags: local, visible to the CPU, coherent. */
  private static final int MEMORY_TYPES = 0x7;

  private static final long PAGE = 4096;

  private final DriverServices core;
  private final long memoryBytes;
  private final int maxContexts;
  private final IdTable<DemoContext> contexts = new IdTable<>();
  private final IdTable<DemoMemory> memories = new IdTable<>();
  private final DemoPrograms programs = new DemoPrograms(this::context);
  private final Worker worker;
  private long memoryUsed;
  private long reportedNs;
  private long reportedBusyNs;
  private boolean closed;

  DemoDevice(DriverServices core, long memoryBytes, int maxContexts) {
    this.core = core;
    this.memoryBytes = memoryBytes / PAGE * PAGE;
    this.maxContexts = maxContexts;
    this.reportedNs = core.clock().nanoTime();
    this.worker = new Worker(core);
  }

  @Override
  public DeviceInfo info() {
    return new DeviceInfo(
        DeviceClass.GPU_COMPUTE,
        1,
        memoryBytes,
        maxContexts,
        DeviceInfo.Preemption.NONE,
        Intake.MAX_BYTES,
        MEMORY_TYPES,
        false,
        false,
        false,
        false);
  }

  @Override
  public <X> Optional<X> extension(Class<X> type) {
    return type == Programs.class ? Optional.of(type.cast(programs)) : Optional.empty();
  }

  @Override
  public void createContext(long context, ContextArgs args) {
    if (contexts.get(context) != null) {
      throw new DriverException(Errno.EEXIST, "context: this id is taken");
    }
    if (args.maxMemoryBytes() < 0) {
      throw new DriverException(Errno.EINVAL, "max_memory_bytes: a limit is negative; 0 means no"
          + " limit");
    }
    if (contexts.size() >= maxContexts) {
      throw new DriverException(
          Errno.ENOSPC, "max_contexts: all " + maxContexts + " contexts are taken");
    }
    contexts.put(context, new DemoContext(context, args.maxMemoryBytes()));
  }

  @Override
  public void destroyContext(long context) {
    DemoContext gone = context(context);
    // submit no longer finds the context; earlier work is cancelled
    contexts.remove(context);
    worker.cancel(gone, -Errno.ECLOSED);
    for (DemoMemory memory : memories.all()) {
      if (memory.context == gone) {
        free(memory.id);
      }
    }
    programs.unloadAll(gone);
  }

  @Override
  public void resetContext(long context) {
    worker.cancel(context(context), -Errno.EINTR);
  }

  @Override
  public void resetDevice() {
    worker.cancel(null, -Errno.EINTR);
  }

  @Override
  public Allocation allocate(long context, long memory, AllocArgs args) {
    DemoContext owner = context(context);
    check(args);
    long size = Math.ceilDiv(args.size(), PAGE) * PAGE;
    boolean beyondLimit =
        owner.memoryLimit > 0 && size > Math.max(0, owner.memoryLimit - owner.memoryUsed);
    if (beyondLimit || size > memoryBytes - memoryUsed) {
      throw new DriverException(
          Errno.ENOMEM, beyondLimit ? "max_memory_bytes: no more" : "memory_bytes: no more");
    }
    if (memories.get(memory) != null) {
      throw new DriverException(Errno.EEXIST, "memory: this id is taken");
    }
    long alignment = Math.max(args.alignment(), Long.BYTES);
    MemorySegment bytes = core.allocShared(context, size, alignment);
    memories.put(memory, new DemoMemory(memory, owner, bytes, size));
    owner.memoryUsed += size;
    memoryUsed += size;
    return new Allocation(size, Optional.of(bytes));
  }

  private void check(AllocArgs args) {
    if (args.size() < 1) {
      throw new DriverException(Errno.EINVAL, "size: " + args.size() + " is not at least 1");
    }
    if (args.alignment() < 1
        || args.alignment() > PAGE
        || Long.bitCount(args.alignment()) != 1) {
      throw new DriverException(
          Errno.EINVAL, "alignment: " + args.alignment() + " is no power of two up to " + PAGE);
    }
    if ((args.flags() & ~FLAGS) != 0) {
      throw new DriverException(
          Errno.EINVAL, "flags: 0x" + Integer.toHexString(args.flags()) + " has unknown bits");
    }
    if (args.pageSize() == PageSize.HUGE_2M || args.pageSize() == PageSize.HUGE_1G) {
      throw new DriverException(Errno.ENOTSUP, "page_size: pages have 4 KiB here");
    }
    if (args.size() > memoryBytes) {
      throw new DriverException(Errno.ENOMEM, "memory_bytes: there are only " + memoryBytes);
    }
  }

  @Override
  public void free(long id) {
    DemoMemory memory = memories.get(id);
    if (memory == null) {
      throw new DriverException(Errno.ENOENT, "no memory " + Long.toHexString(id));
    }
    if (!memory.retire()) {
      throw new DriverException(Errno.EBUSY, "memory: the memory is in use by work in flight");
    }
    memories.remove(id);
    memory.context.memoryUsed -= memory.charged;
    memoryUsed -= memory.charged;
    core.freeShared(memory.bytes);
  }

  /** The load since the previous call. */
  @Override
  public Utilization utilization() {
    long now = core.clock().nanoTime();
    long busy = worker.busyNs();
    long passed = Math.max(1, now - reportedNs);
    int percent = Math.clamp((busy - reportedBusyNs) * 100 / passed, 0, 100);
    reportedNs = now;
    reportedBusyNs = busy;
    return new Utilization(percent, 0, memoryUsed, memoryBytes, contexts.size(), 0, 0, 0);
  }

  @Override
  public PowerState power() {
    return new PowerState(0, PerformanceLevel.AUTO, 0, 0, 0, 0, false);
  }

  @Override
  public int submit(long context, long tag, MemorySegment commands, long offset, int length) {
    worker.cross();
    try {
      DemoContext target = contexts.get(context);
      return target == null
          ? -Errno.ESTALE
          : worker.submit(memories, target, tag, commands, offset, length);
    } finally {
      worker.cross();
    }
  }

  @Override
  public int poll(int limit) {
    return 0;
  }

  @Override
  public int preempt(long context, int reason) {
    return -Errno.ENOTSUP;
  }

  @Override
  public boolean alive() {
    return true;
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    for (DemoContext context : contexts.all()) {
      contexts.remove(context.id);
    }
    worker.cancel(null, -Errno.ECLOSED);
    worker.close();
    memories.all().forEach(memory -> free(memory.id));
  }

  private DemoContext context(long id) {
    DemoContext context = contexts.get(id);
    if (context == null) {
      throw new DriverException(Errno.ENOENT, "no context " + Long.toHexString(id));
    }
    return context;
  }
}
