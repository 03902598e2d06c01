package io.isle.core.accel.agent;

import io.isle.api.base.Errno;
import io.isle.core.accel.machine.DeviceMachine;
import io.isle.core.accel.machine.Restarts;
import io.isle.core.accel.memory.FreshLosses;
import io.isle.core.accel.queue.ContextState;
import io.isle.lib.kabi.CommandEnvelope;
import io.isle.lib.kabi.CommandEnvelope.Binding;
import java.lang.foreign.MemorySegment;
import java.util.Map;

/**
 * Checks pending work against contents that were lost since it was admitted, in the order in which
 * it will start: reading them ends a submission with ENODATA, writing brings them back for those
 * behind it. What counts as there for new submissions says nothing of that: a write that was
 * admitted after the loss starts after the reads from before. In control operations of the agent,
 * while nothing of the context is dispatched.
 */
public final class KeptWork {
  private final MemorySegment commands;
  private final DeviceMachine machine;

  /** How many pending submissions go on, replays apart, and how many ended. */
  public record Settled(long kept, long refused) {}

  KeptWork(MemorySegment commands, DeviceMachine machine) {
    this.commands = commands;
    this.machine = machine;
  }

  /** Checks all of a context. */
  public Settled settle(ServedContext context) {
    int c = context.record().index();
    if (machine.queue(c) != context.record().queue()) {
      return new Settled(0, 0);
    }
    Map<Long, FreshLosses> lost = context.memory().takeFreshLosses();
    long kept = 0;
    long refused = 0;
    Restarts restarts = machine.pending().restarts();
    for (int i = 0; i < restarts.count(c); ) {
      int code = admit(context, restarts.get(c, i), lost);
      if (code != 0) {
        machine.onRefuse(c, restarts.get(c, i), code);
        refused++;
      } else {
        kept += restarts.isReplay(c, i++) ? 0 : 1;
      }
    }
    if (!lost.isEmpty()) {
      machine.onLoss(c, ContextState.stampOf(context.record().word()));
    }
    long newest = machine.pending().submitted(c);
    for (long point = machine.pending().head(c); point <= newest; point++) {
      if (machine.endings().has(c, point)) {
        continue;
      }
      int code = admit(context, point, lost);
      if (code == 0) {
        kept++;
      } else {
        machine.onRefuse(c, point, code);
        refused++;
      }
    }
    return new Settled(kept, refused);
  }

  private int admit(ServedContext context, long point, Map<Long, FreshLosses> lost) {
    if (lost.isEmpty()) {
      return 0;
    }
    long envelope = context.record().queue().offset(point);
    int waits = commands.get(CommandEnvelope.U32, envelope + CommandEnvelope.WAIT_COUNT);
    long first = envelope + CommandEnvelope.bindings(waits);
    int count = commands.get(CommandEnvelope.U32, envelope + CommandEnvelope.BINDING_COUNT);
    for (int i = 0; i < count; i++) {
      if (readsLost(first + (long) i * Binding.BYTES, lost)) {
        return -Errno.ENODATA;
      }
    }
    for (int i = 0; i < count; i++) {
      bringBack(context, first + (long) i * Binding.BYTES, lost);
    }
    return 0;
  }

  private boolean readsLost(long binding, Map<Long, FreshLosses> lost) {
    FreshLosses losses = lost.get(commands.get(CommandEnvelope.U64, binding + Binding.OBJECT));
    int access = commands.get(CommandEnvelope.U32, binding + Binding.ACCESS);
    if (losses == null || (access & Binding.READ) == 0) {
      return false;
    }
    boolean copied = (access & Binding.NO_COPY_IN) == 0;
    return (copied ? losses.contents() : losses.copies())
        .intersects(
            commands.get(CommandEnvelope.U64, binding + Binding.OFFSET),
            commands.get(CommandEnvelope.U64, binding + Binding.LENGTH));
  }

  /** What a binding copies or writes is there for those behind it. */
  private void bringBack(ServedContext context, long binding, Map<Long, FreshLosses> lost) {
    long id = commands.get(CommandEnvelope.U64, binding + Binding.OBJECT);
    FreshLosses losses = lost.get(id);
    if (losses == null) {
      return;
    }
    int access = commands.get(CommandEnvelope.U32, binding + Binding.ACCESS);
    long offset = commands.get(CommandEnvelope.U64, binding + Binding.OFFSET);
    long length = commands.get(CommandEnvelope.U64, binding + Binding.LENGTH);
    boolean written = (access & Binding.WRITE) != 0;
    if (written && (access & Binding.NO_COPY_BACK) == 0) {
      losses.contents().remove(offset, length);
      context.memory().find(id).ifPresent(memory -> memory.written(offset, length));
    }
    if (written || (access & Binding.NO_COPY_IN) == 0) {
      losses.copies().remove(offset, length);
      context.memory().find(id).ifPresent(memory -> memory.copied(offset, length));
    }
  }
}
