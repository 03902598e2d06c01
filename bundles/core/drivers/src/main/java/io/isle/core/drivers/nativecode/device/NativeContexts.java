package io.isle.core.drivers.nativecode.device;

import io.isle.api.base.Errno;
import io.isle.api.device.RecoveryCause;
import io.isle.api.driver.AllocArgs;
import io.isle.api.driver.Allocation;
import io.isle.api.driver.ContextArgs;
import io.isle.api.driver.DriverException;
import io.isle.core.drivers.nativecode.control.ControlClient;
import io.isle.core.drivers.nativecode.control.Lane;
import io.isle.core.drivers.nativecode.control.Segments;
import io.isle.lib.kabi.CStruct;
import io.isle.lib.kabi.ControlOp;
import io.isle.lib.kabi.KabiStructs;
import io.isle.lib.kabi.WireStructs;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.OptionalInt;

/** Contexts of a native device, each with a heap that the driver allocates from. Control lane. */
final class NativeContexts {
  private static final long PAGE = 4096;
  private static final long HUGE_PAGE = 2L << 20;
  private static final long LARGEST_PAGE = 1L << 30;

  /** What alignment may cost. */
  private static final long SLACK = 2 * HUGE_PAGE;

  private final Lane lane;
  private final ControlClient control;
  private final long deviceBytes;
  private final Heaps heaps = new Heaps();

  /**
   * @param deviceBytes memory of the device, as the driver says
   */
  NativeContexts(Lane lane, ControlClient control, long deviceBytes) {
    this.lane = lane;
    this.control = control;
    this.deviceBytes = deviceBytes;
  }

  void create(long context, ContextArgs args) {
    long bytes = heapBytes(args.maxMemoryBytes());
    removeMisfit(bytes);
    Heaps.Heap heap = heaps.create(context, bytes);
    boolean created = false;
    try (Arena arena = Arena.ofConfined()) {
      if (heap.isNew()) {
        Segments.add(lane, control, heap.segment(), heap.file().descriptor(), heap.memory(), true);
      }
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

  /**
   * Room for the driver's allocations at any alignment up to a huge page. More than this machine's
   * memory holds it need not have, whatever the driver says of its device.
   */
  private long heapBytes(long limit) {
    long device = Math.min(deviceBytes, HostMemory.BYTES);
    long most = limit == 0 ? device : Math.min(limit, device);
    return Math.max(PAGE, (most + PAGE - 1) / PAGE * PAGE) + SLACK;
  }

  private void removeMisfit(long bytes) {
    OptionalInt segment = heaps.misfit(bytes);
    if (segment.isPresent()) {
      try {
        removeSegment(segment.getAsInt());
      } finally {
        heaps.removeIdle();
      }
    }
  }

  private void dropHeap(long context, int segment) {
    try {
      removeSegment(segment);
    } finally {
      heaps.remove(context);
    }
  }

  private void removeSegment(int segment) {
    if (lane.alive()) {
      var ignored =
          control.exchange(
              ControlOp.REMOVE_SEGMENT, Segments.number(segment), ControlClient.BOUND_NS);
    }
  }

  void destroy(long context) {
    Heaps.Heap heap = heaps.of(context);
    var ignored = control.call(ControlOp.DESTROY_CONTEXT, context);
    if (!heaps.keep(context)) {
      dropHeap(context, heap.segment());
    }
  }

  Allocation allocate(long context, long memory, AllocArgs args) {
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
      if (!isPossible(size, args)) {
        throw broken("gave " + Long.toUnsignedString(size) + " bytes for " + args.size());
      }
      if (segment == 0) {
        return new Allocation(size, Optional.empty());
      }
      return new Allocation(
          size, Optional.of(within(heap, segment, answer.get(reply, "offset"), size)));
    }
  }

  /**
   * Whether what was given is what was asked for, rounded up to a page of the device: to 2 MiB at
   * the most, or to 1 GiB where pages of that size were asked for.
   */
  private static boolean isPossible(long size, AllocArgs args) {
    long page = args.pageSize() == AllocArgs.PageSize.HUGE_1G ? LARGEST_PAGE : HUGE_PAGE;
    return args.size() > 0 && size >= args.size() && (size - 1) / page == (args.size() - 1) / page;
  }

  /** The allocation's bytes, after checking what the host said about where they are. */
  private MemorySegment within(Heaps.Heap heap, int segment, long offset, long size) {
    long limit = heap.memory().byteSize();
    if (segment != heap.segment() || offset < 0 || size > limit || offset > limit - size) {
      throw broken("named memory outside the context's heap");
    }
    return heap.memory().asSlice(offset, size);
  }

  /** Gives the host up for an answer that cannot be. */
  private DriverException broken(String what) {
    lane.abandon(new RecoveryCause(RecoveryCause.Kind.PROTOCOL, "the driver host " + what));
    return new DriverException(Errno.EPROTO, lane.cause().text());
  }

  /** Unmaps all heaps; waits for calls that use them, at most a second. */
  void release() {
    heaps.close();
  }
}
