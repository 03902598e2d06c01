package io.isle.apps.jobs.run;

import io.isle.api.accel.Buffer;
import io.isle.api.accel.CommandWriter;
import io.isle.api.base.Errno;
import io.isle.apps.jobs.run.loop.Cursor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/**
 * The buffers of a loop, by the number of the name that each has before the first turn: what they
 * hold then, what they held at the last checkpoint, and what the device may copy. Used by the
 * stream's thread.
 */
final class LoopMemory {
  /** Access of what the CPU sees afterwards as the device's copy has it. */
  private static final int FLUSHED = Buffer.READ | Buffer.WRITE | Buffer.NO_COPY_IN;

  private final StreamContext stream;
  private final StepClock clock;
  private final List<Part> parts;
  private final boolean[] written;
  private final Arena arena;

  /** Contents at the last checkpoint; null for those before the first turn. */
  private final MemorySegment[] kept;

  /** Takes the contents of the next checkpoint. */
  private final MemorySegment[] spare;

  /** Written since the last checkpoint. */
  private final boolean[] dirty;

  /** Whether the device may work on copies, which it is told to leave as they are. */
  private boolean copies;

  /**
   * For a loop.
   *
   * @param written which the turns may write, with all that changes places with them
   * @param arena takes the checkpoints
   */
  LoopMemory(StepRun run, List<Part> parts, boolean[] written, Arena arena) {
    this.stream = run.stream();
    this.clock = run.clock();
    this.parts = List.copyOf(parts);
    this.written = written.clone();
    for (int i = 0; i < written.length; i++) {
      // what begins as the device fills it counts as written
      this.written[i] |= parts.get(i).filling().isPresent();
    }
    this.arena = arena;
    kept = new MemorySegment[written.length];
    spare = new MemorySegment[written.length];
    dirty = new boolean[written.length];
  }

  /** From now on it is as before the first turn. */
  void begin() {
    for (int i = 0; i < kept.length; i++) {
      if (kept[i] != null) {
        spare[i] = kept[i];
        kept[i] = null;
      }
    }
  }

  /** Bytes that the turns may write. */
  long writtenBytes() {
    long bytes = 0;
    for (int i = 0; i < written.length; i++) {
      bytes += written[i] ? parts.get(i).resident().bytes() : 0;
    }
    return bytes;
  }

  /**
   * All is on the device as at the last checkpoint, but for what {@link #prepare} does.
   *
   * @return 0, or a negated code
   */
  int restore() throws InterruptedException {
    for (int i = 0; i < written.length; i++) {
      int code = restore(i, parts.get(i));
      if (code != 0) {
        return code;
      }
    }
    return 0;
  }

  private int restore(int i, Part part) throws InterruptedException {
    Resident resident = part.resident();
    if (!written[i]) {
      return resident.ensure(stream);
    }
    dirty[i] = false;
    resident.spoil();
    if (kept[i] != null) {
      return resident.ensureFrom(stream, Resident.copyOf(kept[i], clock));
    }
    if (part.filling().isPresent()) {
      return resident.ensureRoom(stream);
    }
    if (part.origin() == null) {
      return resident.ensureInput(stream);
    }
    int code = part.origin().ensure(stream);
    return code == 0 ? resident.ensureRoom(stream) : code;
  }

  private boolean isFilled(int i) {
    Part part = parts.get(i);
    return kept[i] == null
        && part.filling().isPresent()
        && !(part.filling().get().isZeros() && part.resident().isFresh());
  }

  /** Whether the copy of the CPU's memory that the device has, if it has one, is right already. */
  private boolean isThere(int i) {
    return kept[i] == null && parts.get(i).filling().isPresent();
  }

  private boolean isCopy(int i) {
    return written[i] && kept[i] == null && parts.get(i).origin() != null;
  }

  /** Whether {@link #prepare} must come before the first turn. */
  boolean needsPreparing(boolean deviceCopies) {
    copies = deviceCopies;
    boolean needed = copies;
    for (int i = 0; i < written.length; i++) {
      needed |= isFilled(i) || isCopy(i);
    }
    return needed;
  }

  /** Fills and copies on the device what does not come from the platform's memory. */
  void prepare(CommandWriter writer) {
    int size = written.length;
    int[] uses = new int[size];
    int[] origins = new int[size];
    for (int i = 0; i < size; i++) {
      Part part = parts.get(i);
      boolean made = isThere(i) || isCopy(i);
      uses[i] = bind(writer, i, made ? Buffer.WRITE | kept() : Buffer.READ);
      origins[i] = isCopy(i) ? part.origin().use(writer, Buffer.READ) : -1;
    }
    for (int i = 0; i < size; i++) {
      long bytes = parts.get(i).resident().bytes();
      if (isCopy(i)) {
        CommandWriter ignored = writer.copy(uses[i], 0, origins[i], 0, bytes);
      } else if (isFilled(i)) {
        parts.get(i).filling().orElseThrow().fill(writer, uses[i], bytes);
      }
    }
    parts.forEach(part -> part.resident().submitted());
  }

  /** Binds all of a buffer. */
  private int bind(CommandWriter writer, int i, int access) {
    Resident resident = parts.get(i).resident();
    return resident.use(writer, 0, resident.bytes(), access);
  }

  private int kept() {
    return copies ? Buffer.NO_COPY_IN | Buffer.NO_COPY_BACK : 0;
  }

  /** Names all of them for turns. */
  void use(CommandWriter writer, int[] uses) {
    for (int i = 0; i < written.length; i++) {
      int access = written[i] ? Buffer.READ | Buffer.WRITE : Buffer.READ;
      uses[i] = bind(writer, i, access | kept());
      parts.get(i).resident().submitted();
    }
  }

  /** Names a part of one for turns, so that the CPU sees it afterwards. */
  void show(CommandWriter writer, LoopProgram.Window window) {
    if (copies) {
      Resident resident = parts.get(window.buffer()).resident();
      int ignored = resident.use(writer, window.offset(), window.bytes(), FLUSHED);
    }
  }

  /** A turn may have written it. */
  void wrote(int buffer) {
    dirty[buffer] = true;
  }

  /** Reads a part of one that was {@link #show}n; returns 0 or a negated code. */
  int look(int buffer, long offset, long bytes, Consumer<MemorySegment> use) {
    return parts.get(buffer).resident().memory().look(offset, bytes, use);
  }

  /**
   * The CPU sees what these hold. Nothing else is in flight.
   *
   * @return 0, or a negated code
   */
  private int flush(IntPredicate which) throws InterruptedException {
    if (!copies) {
      return 0;
    }
    long point =
        stream.submit(
            writer -> {
              for (int i = 0; i < written.length; i++) {
                if (which.test(i)) {
                  int ignored = bind(writer, i, FLUSHED);
                }
              }
            });
    if (point < 0) {
      return (int) point;
    }
    int status = stream.context().await(point, -1);
    if (status == -Errno.ECANCELED) {
      throw new InterruptedException("cancelled");
    }
    return status;
  }

  /**
   * Copies what was written since the last checkpoint; {@link #keep} makes it the last one.
   *
   * @return 0, or a negated code
   * @throws io.isle.api.jobs.JobException ENOMEM when the platform has no memory for it
   */
  int copy() throws InterruptedException {
    for (int i = 0; i < dirty.length; i++) {
      if (dirty[i] && spare[i] == null) {
        spare[i] = arena.allocate(parts.get(i).resident().bytes(), Long.BYTES);
      }
    }
    int code = flush(i -> dirty[i]);
    for (int i = 0; i < dirty.length && code == 0; i++) {
      if (dirty[i]) {
        code = parts.get(i).resident().memory().download(spare[i], clock);
      }
    }
    return code;
  }

  /** What was copied counts from now on. */
  void keep() {
    for (int i = 0; i < dirty.length; i++) {
      if (dirty[i]) {
        MemorySegment before = kept[i];
        kept[i] = spare[i];
        spare[i] = before;
        dirty[i] = false;
      }
    }
  }

  /**
   * The turns are over: the CPU sees the outputs, and each part has what its name stands for.
   *
   * @param end where the names stand
   * @return 0, or a negated code
   */
  int finish(Cursor end) throws InterruptedException {
    boolean[] outputs = new boolean[written.length];
    List<Resident> held = new ArrayList<>();
    for (int name = 0; name < written.length; name++) {
      outputs[end.buffer(name)] |= parts.get(name).isOutput();
      held.add(parts.get(name).resident());
    }
    int code = flush(i -> outputs[i] && written[i]);
    if (code == 0) {
      Resident.rearrange(held, end::buffer);
      for (Part part : parts) {
        if (part.isOutput()) {
          part.resident().markFilled();
        }
      }
    }
    return code;
  }
}
