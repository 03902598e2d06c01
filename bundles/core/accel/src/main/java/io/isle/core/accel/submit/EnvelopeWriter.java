package io.isle.core.accel.submit;

import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.api.accel.Fence;
import io.isle.api.accel.HostTimeline;
import io.isle.api.accel.Program;
import io.isle.api.accel.Timeline;
import io.isle.api.base.Errno;
import io.isle.core.accel.context.ContextRecord;
import io.isle.core.accel.context.CoreServices;
import io.isle.core.accel.context.DeviceBuffer;
import io.isle.core.accel.context.LoadedProgram;
import io.isle.core.accel.context.Resource;
import io.isle.core.accel.device.OpenDevice;
import io.isle.core.accel.queue.ContextQueue;
import io.isle.core.accel.queue.ContextState;
import io.isle.lib.kabi.CommandEnvelope;
import io.isle.lib.kabi.CommandOp;
import java.lang.foreign.MemorySegment;

/**
 * Checks what a tenant writes and puts it into the envelope of the next point: rights and ranges of
 * what is used, and arguments against the program's entry. One thread.
 */
final class EnvelopeWriter implements CommandWriter {
  private final ContextRecord record;
  private final ContextQueue queue;
  private final EnvelopeSlot slot;
  private final Bindings bindings = new Bindings(MAX_USES);
  private final FenceWriter fences;
  private final Mistake mistake;
  private final DispatchWriter dispatches;
  private final FeatureGathering features = new FeatureGathering();
  private long point;
  private boolean replay;

  EnvelopeWriter(ContextRecord record, CoreServices core, EnvelopeSlot slot) {
    this.record = record;
    this.queue = record.queue();
    this.fences = new FenceWriter(record, core, slot);
    this.mistake = new Mistake(fences.check());
    this.slot = slot;
    this.dispatches = new DispatchWriter(slot, bindings, mistake);
  }

  /** Starts the envelope of {@code nextPoint} in its slot. */
  void begin(long nextPoint) {
    point = nextPoint;
    slot.begin(queue.offset(nextPoint));
    bindings.clear();
    fences.begin();
    dispatches.clear();
    mistake.clear();
    features.begin(queue.estimates.isWanted());
    replay = false;
  }

  /** What is written before the next {@link #begin} goes nowhere. */
  void abandon() {
    slot.fail(-Errno.EINVAL);
  }

  long point() {
    return point;
  }

  /**
   * Completes the envelope and marks what the submission uses.
   *
   * @param word of the context's record
   * @return the envelope's length, or the first mistake as a negated code
   */
  int finish(int word) {
    endDispatch();
    if (!bindings.areOpen()) {
      slot.fail(-Errno.EINVAL);
    }
    if (slot.error() != 0) {
      var ignored = first();
      return slot.error();
    }
    if (ContextState.lossy(word) || ContextState.stampOf(word) != 0 && bindings.someStale()) {
      int code = bindings.admitContents(record, ContextState.stampOf(word));
      if (code != 0) {
        return code;
      }
    }
    int length = slot.finish();
    if (length < 0) {
      return length;
    }
    bindings.markUsed(point);
    fences.finish(point);
    queue.describe(
        point,
        length,
        slot.waits(),
        ContextState.stampOf(word),
        replay && bindings.readsRetainedOnly());
    estimate();
    return length;
  }

  /** Asks what the finished envelope will take, if there is a model. */
  private void estimate() {
    if (!features.isOn()) {
      queue.estimates.skip(point);
      return;
    }
    OpenDevice device = record.device();
    int[] gathered =
        features.finish(
            device == null ? null : device.info(),
            slot.operations(),
            point - queue.timeline.recorded());
    queue.estimates.ask(point, gathered);
  }

  @Override
  public CommandWriter after(Timeline timeline, long awaited) {
    return slot.error() == 0 ? fenced(fences.after(point, timeline, awaited)) : this;
  }

  @Override
  public CommandWriter after(Fence fence) {
    return slot.error() == 0 ? fenced(fences.after(point, fence)) : this;
  }

  @Override
  public CommandWriter waitAtMost(long timeoutNs) {
    return slot.error() == 0 ? fenced(fences.waitAtMost(timeoutNs)) : this;
  }

  @Override
  public CommandWriter signal(HostTimeline timeline, long signalled) {
    return slot.error() == 0 ? fenced(fences.signal(point, timeline, signalled)) : this;
  }

  /** Whether the end of what was finished last signals something. */
  boolean signals() {
    return fences.signals();
  }

  private CommandWriter fenced(int code) {
    if (code == 0) {
      return this;
    }
    if (code == slot.error()) {
      // the slot was full
      return refuse(code);
    }
    mistake.fence(code);
    slot.fail(code);
    return this;
  }

  @Override
  public int use(Buffer buffer, long offset, long length, int access) {
    DeviceBuffer own = buffer instanceof DeviceBuffer one && one.record == record ? one : null;
    int code = own == null ? -Errno.EINVAL : own.checkUse(offset, length, access);
    if (code != 0) {
      if (code == -Errno.ENOTSUP) {
        int ignored = first().set(Mistake.What.NO_COPY, code, null, 0, 0, 0, 0);
      }
      var ignored = refuse(code);
      return code;
    }
    return bind(own, offset, length, access);
  }

  @Override
  public CommandWriter replayable() {
    replay = true;
    return this;
  }

  @Override
  public CommandWriter copy(int dst, long dstOffset, int src, long srcOffset, long bytes) {
    endDispatch();
    int code = bindings.check(dst, dstOffset, bytes, Buffer.WRITE);
    if (code == 0) {
      code = bindings.check(src, srcOffset, bytes, Buffer.READ);
    }
    if (code != 0) {
      return refuse(code);
    }
    slot.addCopy(dst, dstOffset, src, srcOffset, bytes);
    features.copy(bytes);
    return this;
  }

  @Override
  public CommandWriter fill(int dst, long offset, long bytes, int pattern) {
    endDispatch();
    int code = bindings.check(dst, offset, bytes, Buffer.WRITE);
    if (code != 0) {
      return refuse(code);
    }
    slot.addFill(dst, offset, bytes, pattern);
    features.copy(bytes);
    return this;
  }

  @Override
  public CommandWriter dispatch(Program program, int entry, int x, int y, int z) {
    endDispatch();
    LoadedProgram loaded =
        program instanceof LoadedProgram own && own.record == record ? own : null;
    int code = dispatches.check(loaded, entry, x, y, z);
    if (code != 0) {
      return refuse(code);
    }
    int binding = bindings.indexOf(loaded);
    if (binding < 0) {
      binding = bind(loaded, 0, 0, CommandEnvelope.Binding.PROGRAM);
    }
    if (binding >= 0) {
      dispatches.begin(loaded, binding, entry, x, y, z);
      features.dispatch(loaded.hash(entry), x, y, z);
    }
    return this;
  }

  @Override
  public CommandWriter local(int x, int y, int z) {
    return checked(dispatches.local(x, y, z));
  }

  @Override
  public CommandWriter offset(long x, long y, long z) {
    return checked(dispatches.offset(x, y, z));
  }

  @Override
  public CommandWriter arg(int use) {
    return checked(dispatches.argument(CommandOp.Arg.BUFFER, use, 0));
  }

  @Override
  public CommandWriter argU32(int value) {
    features.integer(value & 0xffffffffL);
    return value(CommandOp.Arg.U32, value & 0xffffffffL);
  }

  @Override
  public CommandWriter argI32(int value) {
    features.integer(value);
    return value(CommandOp.Arg.I32, value & 0xffffffffL);
  }

  @Override
  public CommandWriter argU64(long value) {
    features.integer(value);
    return value(CommandOp.Arg.U64, value);
  }

  @Override
  public CommandWriter argI64(long value) {
    features.integer(value);
    return value(CommandOp.Arg.I64, value);
  }

  @Override
  public CommandWriter argF32(float value) {
    return value(CommandOp.Arg.F32, Float.floatToRawIntBits(value) & 0xffffffffL);
  }

  @Override
  public CommandWriter argF64(double value) {
    return value(CommandOp.Arg.F64, Double.doubleToRawLongBits(value));
  }

  @Override
  public CommandWriter argLocal(long bytes) {
    return checked(dispatches.localBytes(bytes));
  }

  @Override
  public CommandWriter argBytes(MemorySegment bytes) {
    return checked(dispatches.bytes(bytes));
  }

  @Override
  public CommandWriter vendor(MemorySegment operation) {
    endDispatch();
    long length = operation.byteSize();
    if (length < 8 || (length & 7) != 0) {
      return refuse(-Errno.EINVAL);
    }
    if (length > Integer.MAX_VALUE - CommandOp.BYTES) {
      return refuse(-Errno.EMSGSIZE);
    }
    slot.addVendor(operation, (int) length);
    return this;
  }

  @Override
  public String mistake() {
    // the device's end is none
    return slot.isUnmapped() ? "" : mistake.text();
  }

  private int bind(Resource resource, long offset, long length, int access) {
    if (bindings.size() == MAX_USES) {
      int ignored = first().set(Mistake.What.USES, -Errno.EINVAL, null, 0, MAX_USES, 0, 0);
      slot.fail(-Errno.EINVAL);
    }
    features.use(length);
    return slot.addBinding(resource.id(), offset, length, access)
        ? bindings.add(resource, offset, length, access)
        : slot.error();
  }

  private CommandWriter value(int kind, long bits) {
    return checked(dispatches.argument(kind, 0, bits));
  }

  private void endDispatch() {
    var ignored = checked(dispatches.end());
  }

  private CommandWriter checked(int code) {
    return code == 0 ? this : refuse(code);
  }

  /** The words of the first mistake; one of the slot's own may have come before. */
  private Mistake first() {
    mistake.note(slot.error());
    return mistake;
  }

  private CommandWriter refuse(int code) {
    first().note(code);
    slot.fail(code);
    return this;
  }
}
