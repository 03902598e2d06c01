package io.isle.core.drivers.nativecode;

import io.isle.api.base.Errno;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.AccelDevice;
import io.isle.api.driver.AllocArgs;
import io.isle.api.driver.Allocation;
import io.isle.api.driver.CompletionSink;
import io.isle.api.driver.ComputeReports;
import io.isle.api.driver.ContextArgs;
import io.isle.api.driver.DeviceInfo;
import io.isle.api.driver.DriverException;
import io.isle.api.driver.FaultInjection;
import io.isle.api.driver.Health;
import io.isle.api.driver.PageMigration;
import io.isle.api.driver.PageRetirement;
import io.isle.api.driver.PerformanceLevel;
import io.isle.api.driver.PowerControl;
import io.isle.api.driver.PowerState;
import io.isle.api.driver.Programs;
import io.isle.api.driver.Utilization;
import io.isle.lib.kabi.CStruct;
import io.isle.lib.kabi.ControlOp;
import io.isle.lib.kabi.KabiStructs;
import io.isle.lib.kabi.WireStructs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** A device of a native driver, behind a lane. Core ids go over the wire as they are. */
final class NativeDevice implements AccelDevice {
  private final Lane lane;
  private final ControlClient control;
  private final CompletionSink sink;
  private final Starts starts;
  private final Negotiation negotiation;
  private final Heaps heaps = new Heaps();

  /** {@code started} hears when work begins, on the thread that polls. */
  NativeDevice(
      Lane lane,
      ControlClient control,
      Negotiation negotiation,
      CompletionSink sink,
      Starts.Listener started) {
    this.lane = lane;
    this.control = control;
    this.negotiation = negotiation;
    this.starts = new Starts(lane.starts(), started);
    this.sink =
        (tag, status, start, end, busy, detail) -> {
          starts.ended(tag);
          return sink.complete(tag, status, start, end, busy, detail);
        };
  }

  Negotiation negotiation() {
    return negotiation;
  }

  @Override
  public DeviceInfo info() {
    return negotiation.info();
  }

  @Override
  public <X> Optional<X> extension(Class<X> type) {
    if (type == Programs.class && negotiation.has(Negotiation.PROGRAMS)) {
      return Optional.of(type.cast(new NativePrograms(control)));
    }
    if (type == ComputeReports.class && negotiation.has(Negotiation.COMPUTE)) {
      return Optional.of(type.cast(new NativeReports(control)));
    }
    if (type == PowerControl.class && negotiation.has(Negotiation.POWER)) {
      return Optional.of(type.cast(new NativePower(control)));
    }
    if (type == Health.class && negotiation.has(Negotiation.HEALTH)) {
      return Optional.of(type.cast(new NativeHealth(control)));
    }
    if (type == PageRetirement.class && negotiation.has(Negotiation.PAGE_RETIREMENT)) {
      return Optional.of(type.cast(new NativeRetirement(control)));
    }
    if (type == PageMigration.class && negotiation.migrates()) {
      return Optional.of(type.cast(new NativeMigration(control)));
    }
    if (type == FaultInjection.class && negotiation.has(Negotiation.FAULT_INJECTION)) {
      return Optional.of(type.cast(new NativeFaults(control)));
    }
    return Optional.empty();
  }

  @Override
  public void createContext(long context, ContextArgs args) {
    Heaps.Heap heap = heaps.create(context, heapBytes(args.maxMemoryBytes()));
    boolean created = false;
    try (Arena arena = Arena.ofConfined()) {
      Segments.add(lane, control, heap.segment(), heap.file().descriptor(), heap.memory(), true);
      CStruct type = WireStructs.CREATE_CONTEXT;
      MemorySegment body = arena.allocate(type.size(), 8);
      type.set(body, "context", context);
      type.set(body, "owner_pid", args.ownerPid());
      type.set(body, "priority", args.priority().ordinal());
      type.set(body, "heap_segment", heap.segment());
      MemorySegment limits = body.asSlice(type.offset("limits"));
      CStruct limit = KabiStructs.CONTEXT_LIMITS;
      limit.set(limits, "max_memory_bytes", args.maxMemoryBytes());
      limit.set(limits, "max_execution_us", args.maxExecutionUs());
      limit.set(limits, "guaranteed_bandwidth_us", args.guaranteedBandwidthUs());
      limit.set(limits, "bandwidth_period_us", args.bandwidthPeriodUs());
      var ignored = control.call(ControlOp.CREATE_CONTEXT, body);
      created = true;
    } finally {
      if (created) {
        heap.file().close();
      } else {
        dropHeap(context, heap.segment());
      }
    }
  }

  /** Room for the driver's allocations at any alignment up to a huge page. */
  private long heapBytes(long limit) {
    long memory = info().localMemoryBytes();
    long most = limit == 0 ? memory : Math.min(limit, memory);
    return Math.max(4096, (most + 4095) / 4096 * 4096) + (4L << 20);
  }

  private void dropHeap(long context, int segment) {
    try {
      if (lane.alive()) {
        var ignored =
            control.exchange(
                ControlOp.REMOVE_SEGMENT, Segments.number(segment), ControlClient.BOUND_NS);
      }
    } finally {
      heaps.remove(context);
    }
  }

  @Override
  public void destroyContext(long context) {
    Heaps.Heap heap = heaps.of(context);
    var ignored = control.call(ControlOp.DESTROY_CONTEXT, context);
    dropHeap(context, heap.segment());
  }

  @Override
  public void resetContext(long context) {
    var ignored = control.call(ControlOp.RESET_CONTEXT, context);
  }

  @Override
  public void resetDevice() {
    var ignored = control.call(ControlOp.RESET_DEVICE);
  }

  @Override
  public Allocation allocate(long context, long memory, AllocArgs args) {
    Heaps.Heap heap = heaps.of(context);
    try (Arena arena = Arena.ofConfined()) {
      CStruct type = WireStructs.ALLOC_REQUEST;
      MemorySegment body = arena.allocate(type.size(), 8);
      type.set(body, "context", context);
      type.set(body, "memory", memory);
      type.set(body, "size", args.size());
      type.set(body, "alignment", args.alignment());
      type.set(body, "page_size", args.pageSize().ordinal());
      type.set(body, "flags", args.flags());
      CStruct answer = WireStructs.ALLOC_RESPONSE;
      MemorySegment reply = control.call(ControlOp.ALLOC, body).as(answer, ControlOp.ALLOC);
      long size = answer.get(reply, "size");
      int segment = answer.getInt(reply, "segment");
      if (segment == 0) {
        return new Allocation(size, Optional.empty());
      }
      return new Allocation(
          size, Optional.of(within(heap, segment, answer.get(reply, "offset"), size, args.size())));
    }
  }

  /** The allocation's bytes, after checking what the host said about them. */
  private MemorySegment within(Heaps.Heap heap, int segment, long offset, long size, long asked) {
    long limit = heap.memory().byteSize();
    if (segment != heap.segment()
        || size < asked
        || offset < 0
        || size > limit
        || offset > limit - size) {
      lane.abandon(
          new RecoveryCause(
              RecoveryCause.Kind.PROTOCOL,
              "the driver host named memory outside the context's heap"));
      throw new DriverException(Errno.EPROTO, lane.cause().text());
    }
    return heap.memory().asSlice(offset, size);
  }

  @Override
  public void free(long memory) {
    var ignored = control.call(ControlOp.FREE, memory);
  }

  @Override
  public Utilization utilization() {
    return Decoder.utilization(
        control.call(ControlOp.UTILIZATION).as(KabiStructs.UTILIZATION, ControlOp.UTILIZATION));
  }

  @Override
  public PowerState power() {
    return Decoder.power(
        control.call(ControlOp.POWER).as(KabiStructs.POWER_STATE, ControlOp.POWER));
  }

  @Override
  public void setPerformanceLevel(PerformanceLevel level) {
    var ignored = control.call(ControlOp.SET_PERF_LEVEL, level.ordinal());
  }

  @Override
  public int submit(long context, long tag, MemorySegment commands, long offset, int length) {
    int result = lane.submit(tag, context, offset, length);
    if (result == 0) {
      starts.submitted(tag);
    }
    return result;
  }

  @Override
  public int poll(int limit) {
    int taken = lane.poll(limit, sink);
    starts.look(System.nanoTime());
    return taken;
  }

  @Override
  public int preempt(long context, int reason) {
    return lane.preempt(context, reason);
  }

  @Override
  public boolean alive() {
    return lane.alive();
  }

  /**
   * Takes the device from its driver; when this returns the driver reaches nothing any more, but
   * its memory is still mapped here.
   *
   * @param orderly asks the driver to close the device first
   */
  void end(boolean orderly) {
    try {
      if (!orderly && lane.hostPid().isPresent()) {
        lane.abandon(new RecoveryCause(RecoveryCause.Kind.RESET, "the device was taken away"));
      } else if (lane.alive()) {
        var ignored = control.call(ControlOp.CLOSE);
        // what ended with an error while closing is still in the ring
        while (lane.poll(Integer.MAX_VALUE, sink) > 0) {
          continue;
        }
        ignored =
            control.exchange(
                ControlOp.EXIT, MemorySegment.ofArray(new byte[0]), ControlClient.BOUND_NS);
      }
    } finally {
      control.awaitIdle();
      lane.end();
    }
  }

  /** Unmaps its memory; waits for calls that use it, at most a second. After {@link #end}. */
  void release() {
    lane.release();
    heaps.close();
  }

  @Override
  public void close() {
    try {
      end(true);
    } finally {
      release();
    }
  }
}
