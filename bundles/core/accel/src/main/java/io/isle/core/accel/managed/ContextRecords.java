package io.isle.core.accel.managed;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Accelerator;
import io.isle.api.accel.ContextSpec;
import io.isle.api.base.Errno;
import io.isle.api.tenancy.Permission;
import io.isle.core.accel.admission.Membership;
import io.isle.core.accel.context.ContextRecord;
import io.isle.core.accel.context.CoreServices;
import io.isle.core.accel.context.DeviceServices;
import io.isle.core.accel.device.OpenDevice;
import io.isle.core.accel.fence.FenceOwner;
import io.isle.core.accel.group.MemoryLedger;
import io.isle.core.accel.memory.CommandArena;
import io.isle.core.accel.queue.ContextQueue;
import io.isle.core.accel.queue.PointTimeline;
import io.isle.core.accel.submit.ContextHome;
import io.isle.core.accel.submit.ExecutionContext;
import io.isle.lib.ids.TenantShares;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The records of a managed device's contexts, and what each takes of the device: an index, core
 * ids, a range of the command segment. Thread-safe.
 */
final class ContextRecords {
  /** Most contexts of one device, whatever it says of itself. */
  static final int CAPACITY = 1024;

  private final DeviceServices services;
  private final CoreServices core;
  private final MemoryLedger ledger;
  private final CommandArena arena;
  private final TenantShares shares;
  private final BitSet taken = new BitSet();
  private final Set<ExecutionContext> contexts = new LinkedHashSet<>();

  /** Released, but for their ranges: a thread kept the writer and may write there. */
  private final List<ExecutionContext> written = new ArrayList<>();

  /**
   * @param ledger device memory by group
   */
  ContextRecords(DeviceServices services, CoreServices core, MemoryLedger ledger) {
    this.services = services;
    this.core = core;
    this.ledger = ledger;
    long commandBytes = services.commands().byteSize();
    this.arena = new CommandArena(commandBytes);
    this.shares = new TenantShares(commandBytes);
  }

  synchronized List<ExecutionContext> list() {
    return new ArrayList<>(contexts);
  }

  /**
   * @param home of the context
   * @throws AccelException ENOSPC
   */
  ExecutionContext reserve(
      OpenDevice device, Accelerator accelerator, Membership membership, ContextHome home) {
    ExecutionContext context = take(device, accelerator, membership, home);
    ContextRecord record = context.record();
    core.submissionTime().join(record.group(), record.queue().estimates);
    return context;
  }

  private synchronized ExecutionContext take(
      OpenDevice device, Accelerator accelerator, Membership membership, ContextHome home) {
    ContextSpec spec = membership.spec();
    long used = contexts.stream().filter(context -> !context.record().over()).count();
    int most = Math.min(device.info().maxContexts(), CAPACITY);
    int index = taken.nextClearBit(0);
    if (used >= most || index >= CAPACITY) {
      throw new AccelException(
          Errno.ENOSPC,
          services.deviceId() + ": all " + most + " contexts are in use; close one first");
    }
    reclaim();
    long bytes = slotBytes(spec);
    String payer = membership.capability().owner();
    Deque<Runnable> undo = new ArrayDeque<>();
    boolean reserved = false;
    try {
      takeShare(payer, bytes);
      undo.push(() -> shares.give(payer, bytes));
      long offset = arena.take(bytes);
      undo.push(() -> arena.give(offset, bytes));
      long id = core.ids().contexts().take(payer);
      undo.push(() -> core.ids().contexts().give(id));
      long timelineId = core.ids().timelines().take(payer);
      undo.push(() -> core.ids().timelines().give(timelineId));
      FenceOwner owner =
          new FenceOwner(
              membership.capability().tenant(),
              services.fence(),
              by -> core.capabilities().check(by, Permission.ACCEL_COMPUTE, services.deviceId()));
      PointTimeline timeline =
          new PointTimeline(timelineId, services.bell(), owner, spec.queueDepth());
      ContextQueue queue =
          new ContextQueue(id, timeline, offset, rounded(spec.commandBytes()), spec.queueDepth());
      ContextRecord record = new ContextRecord(services, device, membership, index, offset, queue);
      ExecutionContext context = new ExecutionContext(accelerator, home, record, core, ledger);
      taken.set(index);
      contexts.add(context);
      core.fences().timelines().add(timeline);
      reserved = true;
      return context;
    } finally {
      if (!reserved) {
        undo.forEach(Runnable::run);
      }
    }
  }

  private void takeShare(String tenant, long bytes) {
    if (!shares.take(tenant, bytes)) {
      throw new AccelException(
          Errno.ENOSPC,
          "queueDepth x commandBytes: "
              + bytes
              + " bytes of commands more would exceed "
              + shares.most()
              + ", the limit of one tenant on "
              + services.deviceId()
              + " (tenant "
              + tenant
              + " has "
              + shares.taken(tenant)
              + "); choose smaller values, or close contexts of the device");
    }
  }

  /** Of a context that is closed; its range follows when nobody can write there. */
  void release(ExecutionContext context) {
    core.submissionTime().leave(context.record().queue().estimates);
    boolean retired = context.retire();
    synchronized (this) {
      if (!contexts.remove(context)) {
        return;
      }
      ContextRecord record = context.record();
      taken.clear(record.index());
      core.ids().contexts().give(record.id());
      core.fences().timelines().remove(record.queue().timeline);
      core.ids().timelines().give(record.queue().timeline.id());
      if (retired) {
        give(record);
      } else {
        written.add(context);
      }
    }
  }

  /** Takes back the ranges that nobody writes into any more. */
  private void reclaim() {
    Iterator<ExecutionContext> all = written.iterator();
    while (all.hasNext()) {
      ExecutionContext context = all.next();
      if (context.retireNow()) {
        give(context.record());
        all.remove();
      }
    }
  }

  private void give(ContextRecord record) {
    arena.give(record.offset(), slotBytes(record.spec()));
    shares.give(record.capability().owner(), slotBytes(record.spec()));
  }

  private static long slotBytes(ContextSpec spec) {
    return (long) rounded(spec.commandBytes()) * spec.queueDepth();
  }

  private static int rounded(int bytes) {
    return (bytes + 63) & -64;
  }
}
