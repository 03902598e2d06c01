package io.isle.spin.nic.hpus;

import io.isle.api.accel.Accelerator;
import io.isle.api.accel.Context;
import io.isle.api.accel.Program;
import io.isle.api.accel.ProgramSource;
import io.isle.api.base.Errno;
import io.isle.api.base.IsleException;
import io.isle.api.driver.DeviceSessions;
import io.isle.api.driver.HpuCaps;
import io.isle.api.driver.HpuLimits;
import io.isle.api.driver.HpuReport;
import io.isle.api.spin.ContextStats;
import io.isle.api.spin.HandlerImage;
import io.isle.api.spin.MemoryRegion;
import io.isle.api.spin.SpinException;
import io.isle.api.tenancy.Capability;
import io.isle.lib.kabi.SpinStructs;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Handlers on the HPUs of a device: a context of the tenant, its memory, and its program. Control
 * path; one thread at a time.
 */
public final class AttachedHandlers implements AutoCloseable {
  /** Counters of handlers in their host data. */
  private static final int COUNTERS = 16;

  private final HandlersPlan plan;
  private final Context context;
  private final HpuCalls hpus;
  private HandlerMemory memory;
  private volatile HandlerImage image;
  private Program program;
  private SpinRings rings;
  private int handlers;
  private volatile int interruptions;

  private AttachedHandlers(DeviceSessions sessions, HandlersPlan plan, Context context) {
    this.plan = plan;
    this.context = context;
    hpus = new HpuCalls(sessions, context, plan.spec().name());
  }

  /**
   * Attaches handlers, on memory of zeros that begins with the init bytes.
   *
   * @param capability requires ACCEL_COMPUTE; the HPUs are those of its group
   * @throws IsleException with the code of the device and its text
   */
  public static AttachedHandlers open(
      Accelerator accelerator, DeviceSessions sessions, Capability capability, HandlersPlan plan) {
    Context context =
        accelerator.open(
            capability, io.isle.api.accel.ContextSpec.named("spin " + plan.spec().name()));
    AttachedHandlers made = new AttachedHandlers(sessions, plan, context);
    boolean whole = false;
    try {
      made.interruptions = context.interruptions();
      made.memory = new HandlerMemory(context, plan.sizes());
      made.memory.fill(plan.spec().init());
      made.program = made.load(plan.image());
      made.image = plan.image();
      made.attach(made.program);
      whole = true;
    } catch (IllegalStateException e) {
      throw made.moved(e);
    } finally {
      if (!whole) {
        context.close();
      }
    }
    return made;
  }

  private Program load(HandlerImage handlers) {
    return context.load(new ProgramSource.Handlers(handlers.bytes(), handlers.name()));
  }

  private void attach(Program of) {
    handlers = hpus.attach(of.id(), memory.ids());
    rings = memory.rings();
  }

  /** Rings of the present attachment. */
  public SpinRings rings() {
    return rings;
  }

  /** Name, sizes and image at first. */
  public HandlersPlan plan() {
    return plan;
  }

  /** The present image. */
  public HandlerImage image() {
    return image;
  }

  /** Which handlers there are: bit set, 1 header, 2 packet, 4 tail. */
  public int handlers() {
    return handlers;
  }

  /** What the driver says about the attachment. */
  public HpuReport report() {
    return hpus.report();
  }

  /** What the HPUs can have. */
  public HpuCaps caps() {
    return hpus.caps();
  }

  /** Limits of the device. */
  public HpuLimits limits() {
    return hpus.caps().limits();
  }

  /** Whether a recovery has begun since the memory was found; any thread. */
  public boolean interrupted() {
    return context.interruptions() != interruptions;
  }

  /**
   * Attaches anew after a recovery, with memory as at first.
   *
   * @param timeoutNs most time to wait for the context
   * @throws IsleException ENODEV if the context is lost; EINTR if another recovery has begun
   */
  public void rebuild(long timeoutNs) {
    int code = context.awaitUsable(timeoutNs);
    if (code != 0) {
      throw new SpinException(
          -code, plan.spec().name() + ": its context does not come back; spin:attach tries again");
    }
    int now = context.interruptions();
    try {
      // of a recovery in the middle of replace
      hpus.detachLeft();
      memory.renew();
      memory.fill(plan.spec().init());
      attach(program);
    } catch (IllegalStateException e) {
      throw moved(e);
    }
    interruptions = now;
  }

  /**
   * Replaces the handlers; all tasks have ended, and all frames and text are taken. Handler memory,
   * scratchpads and host pages keep their contents.
   *
   * @throws IsleException if the device refuses the image; the old handlers are attached then.
   *     EINTR if a recovery has begun; {@link #rebuild} attaches the old handlers then
   */
  public void replace(HandlerImage with) {
    checkMemory();
    Program next = load(with);
    boolean replaced = false;
    try {
      hpus.detach();
      clearRequests();
      attach(next);
      checkMemory();
      replaced = true;
    } catch (IsleException e) {
      throw interrupted() ? moved(e) : e;
    } catch (IllegalStateException e) {
      throw moved(e);
    } finally {
      if (!replaced) {
        giveBack(next);
      }
    }
    program.close();
    program = next;
    image = with;
  }

  private void giveBack(Program next) {
    try {
      if (!interrupted()) {
        attach(program);
      }
    } finally {
      next.close();
    }
  }

  private void checkMemory() {
    if (interrupted()) {
      throw moved(null);
    }
  }

  private SpinException moved(RuntimeException cause) {
    return new SpinException(
        Errno.EINTR, plan.spec().name() + " recovers; try again in a moment", cause);
  }

  /** The numbers of requests begin anew with the program. */
  private void clearRequests() {
    MemorySegment pages = memory.segment(HandlerMemory.HOST);
    for (long at = 0; at < pages.byteSize(); at += SpinStructs.PAGE) {
      pages.set(RingLayout.U64, at, 0);
    }
  }

  /** The bytes of a region, until the next recovery. */
  public MemorySegment region(MemoryRegion region) {
    return memory.segment(
        switch (region) {
          case HOST -> HandlerMemory.HOST;
          case HANDLER -> HandlerMemory.HANDLER;
          case SCRATCHPAD -> HandlerMemory.SCRATCHPADS;
        });
  }

  /** The counters of the handlers. */
  public List<ContextStats.Counter> counters() {
    MemorySegment data = memory.segment(HandlerMemory.HOST_DATA);
    List<ContextStats.Counter> counters = new ArrayList<>();
    for (int i = 0; i < COUNTERS; i++) {
      long at = SpinStructs.HOST_DATA.offset("counters") + i * SpinStructs.HOST_COUNTER.size();
      counters.add(
          new ContextStats.Counter(
              Integer.toUnsignedLong(data.get(RingLayout.U32, at)),
              Integer.toUnsignedLong(data.get(RingLayout.U32, at + Integer.BYTES))));
    }
    return counters;
  }

  /** Detaches, and frees all memory. Nobody uses the rings any more. Idempotent. */
  @Override
  public void close() {
    // the end of the context detaches
    context.close();
  }
}
