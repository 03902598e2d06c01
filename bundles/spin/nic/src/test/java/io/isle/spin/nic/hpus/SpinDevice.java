package io.isle.spin.nic.hpus;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Accelerator;
import io.isle.api.accel.Accelerators;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.Context;
import io.isle.api.accel.Mapping;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;
import io.isle.api.base.Errno;
import io.isle.api.driver.DeviceSession;
import io.isle.api.driver.DeviceSessions;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.HandlerUnits;
import io.isle.api.driver.HpuCaps;
import io.isle.api.driver.HpuLimits;
import io.isle.api.driver.HpuReport;
import io.isle.api.tenancy.Capability;
import io.isle.lib.kabi.SpinStructs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** A device with HPUs in Java, and the part of the core that a NIC uses. */
public final class SpinDevice implements HandlerUnits {
  static final HpuLimits LIMITS = new HpuLimits(5000, 1000, 16, 0);

  public final Map<Long, JavaHpus> attached = new ConcurrentHashMap<>();
  public final Map<Long, String> attachedNames = new ConcurrentHashMap<>();
  public final List<Mine> contexts = new CopyOnWriteArrayList<>();
  private final Map<Long, Memory> memories = new ConcurrentHashMap<>();
  final Map<Long, String> programs = new ConcurrentHashMap<>();
  public volatile String refuse = "";
  public volatile int refusals;
  public volatile boolean open = true;

  /** Which handlers programs have: bit set. */
  public volatile int handlers = 2;

  /** Whether contexts of the device end with an exception. */
  public volatile boolean failsToClose;

  /** Runs within each attachment. */
  public volatile Runnable attaching = () -> {};

  private final Map<String, Runnable> before = new ConcurrentHashMap<>();
  private Arena arena = Arena.ofShared();
  private long ids = 1;

  /** One context. */
  public static final class Mine {
    final long id;
    final String group;
    public volatile int usable;
    public volatile int interruptions;
    public volatile boolean closed;
    Context proxy;

    Mine(long id, String group) {
      this.id = id;
      this.group = group;
    }
  }

  /** One memory, which moves with a recovery. */
  private final class Memory {
    final long id;
    final long size;
    MemorySegment segment;
    boolean lost;
    long flushed;

    Memory(long id, long size) {
      this.id = id;
      this.size = size;
      move();
    }

    void move() {
      segment = arena.allocate(size, 4096);
      segment.fill((byte) 0x5a);
      flushed = 0;
    }
  }

  @SuppressWarnings("unchecked")
  private static <T> T proxy(Class<T> type, Map<String, Function<Object[], Object>> methods) {
    return (T)
        Proxy.newProxyInstance(
            SpinDevice.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, args) -> {
              Function<Object[], Object> does = methods.get(method.getName());
              if (does == null) {
                throw new UnsupportedOperationException(method.toString());
              }
              return does.apply(args);
            });
  }

  public Accelerator accelerator() {
    return proxy(
        Accelerator.class,
        Map.of("id", args -> "spin0", "open", args -> open((Capability) args[0])));
  }

  private Context open(Capability capability) {
    Mine mine = new Mine(ids++, capability == null ? "default" : capability.group());
    contexts.add(mine);
    mine.proxy =
        proxy(
            Context.class,
            Map.of(
                "id", args -> mine.id,
                "accelerator", args -> accelerator(),
                "allocate", args -> buffer((long) args[0]),
                "load", args -> program((ProgramSource.Handlers) args[0]),
                "awaitUsable", args -> mine.usable,
                "interruptions", args -> mine.interruptions,
                "close", args -> end(mine)));
    return mine.proxy;
  }

  private Object end(Mine mine) {
    attached.remove(mine.id);
    mine.closed = true;
    if (failsToClose) {
      throw new IllegalStateException("the core is closed");
    }
    return null;
  }

  private Buffer buffer(long size) {
    Memory memory = new Memory(ids++, size);
    memories.put(memory.id, memory);
    Mapping mapping =
        proxy(
            Mapping.class,
            Map.of("segment", args -> segment(memory), "flush", args -> flush(memory, args)));
    return proxy(Buffer.class, Map.of("id", args -> memory.id, "map", args -> mapping));
  }

  /** Whether the device sees all memory. */
  boolean allFlushed() {
    return memories.values().stream().allMatch(memory -> memory.flushed == memory.size);
  }

  private Object flush(Memory memory, Object[] args) {
    memory.flushed = (long) args[0] + (long) args[1];
    return null;
  }

  private MemorySegment segment(Memory memory) {
    if (memory.lost) {
      memory.lost = false;
      throw new AccelException(Errno.EINTR, "contents are lost");
    }
    return memory.segment;
  }

  private Program program(ProgramSource.Handlers source) {
    step("load");
    long id = ids++;
    programs.put(id, source.name());
    return proxy(
        Program.class,
        Map.of("id", args -> id, "close", args -> String.valueOf(programs.remove(id))));
  }

  /** All accelerators: this one. */
  public Accelerators accelerators() {
    return proxy(Accelerators.class, Map.of("find", args -> find()));
  }

  private Accelerator find() {
    step("find");
    if (!open) {
      throw new AccelException(Errno.ENODEV, "no device spin0");
    }
    return accelerator();
  }

  /** The process is gone, and no other comes yet. */
  public void interrupt() {
    for (Mine mine : contexts) {
      mine.usable = -Errno.ETIME;
      int before = mine.interruptions;
      mine.interruptions = before + 1;
    }
    attached.clear();
  }

  /** All memory is unmapped. */
  public void endMemory() {
    attached.clear();
    arena.close();
    arena = Arena.ofShared();
  }

  /** Another process has come. */
  public void comeBack() {
    recover();
    contexts.forEach(mine -> mine.usable = 0);
  }

  /** The process is gone, and another one has come. */
  public void recover() {
    attached.clear();
    for (Memory memory : memories.values()) {
      memory.move();
      memory.lost = true;
    }
  }

  /** As {@link #recover}, with contexts that hear of it. */
  public void recoverAll() {
    interrupt();
    comeBack();
  }

  /** Runs once, before the next find, load, detach or attach. */
  public void before(String step, Runnable work) {
    before.put(step, work);
  }

  private void step(String step) {
    Runnable work = before.remove(step);
    if (work != null) {
      work.run();
    }
  }

  public DeviceSessions sessions() {
    DeviceSession session = proxy(DeviceSession.class, Map.of("call", args -> call(args[1])));
    return proxy(
        DeviceSessions.class,
        Map.of("find", args -> open ? Optional.of(session) : Optional.empty()));
  }

  @SuppressWarnings("unchecked")
  private Object call(Object function) {
    return ((Function<HandlerUnits, Object>) function).apply(this);
  }

  @Override
  public HpuCaps caps() {
    return new HpuCaps(1, 2, 8, 16, 256 << 10, 1536, 40, LIMITS);
  }

  @Override
  public void attach(long context, long program, long[] ids, HpuLimits limits) {
    step("attach");
    if (programs.get(program).equals(refuse)) {
      int before = refusals;
      refusals = before + 1;
      throw new DriverException(Errno.EINVAL, "no handlers");
    }
    if (attached.containsKey(context)) {
      throw new DriverException(Errno.EBUSY, "attached");
    }
    MemorySegment[] all = new MemorySegment[MEMORIES];
    for (int i = 0; i < MEMORIES; i++) {
      all[i] = ids[i] == 0 ? MemorySegment.ofArray(new byte[0]) : memories.get(ids[i]).segment;
    }
    attaching.run();
    all[0].fill((byte) 0);
    all[4].asSlice(0, SpinStructs.HOST_DATA.size()).fill((byte) 0);
    attached.put(context, new JavaHpus(all[0], all[1], all[4], all[5]));
    attachedNames.put(context, programs.get(program));
  }

  @Override
  public void detach(long context) {
    step("detach");
    if (attached.remove(context) == null) {
      throw new DriverException(Errno.ENOENT, "nothing is attached");
    }
  }

  @Override
  public HpuReport report(long context) {
    return new HpuReport(attached.containsKey(context), handlers, false, Optional.empty(), 0, 0, 0);
  }
}
