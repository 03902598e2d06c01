package io.isle.core.accel;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.MemoryObject;
import io.isle.api.base.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Device memory of one context; freed when its last buffer is closed. It outlives the device that
 * it lies on: each opening has it anew, with its contents carried over or lost. Thread-safe.
 */
final class DeviceMemory implements MemoryObject {
  final long id;
  final ExecutionContext context;
  private final long size;
  private final int flags;
  private final AtomicInteger references = new AtomicInteger();
  private final AtomicBoolean freed = new AtomicBoolean();

  /** What tenants wrote through mappings; null unless retained. */
  private final MemorySegment copy;

  /** Contents on their way to the next device; null if there are none. */
  private volatile MemorySegment saved;

  /** Null when the CPU cannot see it. */
  private volatile View view;

  private volatile int losses;
  private volatile LostRanges lost;
  private volatile boolean gone;

  /** The memory as the CPU sees it on one device. */
  static final class View {
    final MemorySegment bytes;

    private View(MemorySegment bytes) {
      this.bytes = bytes;
    }
  }

  /**
   * @param flags as the tenant gave them
   */
  DeviceMemory(long id, ExecutionContext context, long size, int flags) {
    this.id = id;
    this.context = context;
    this.size = size;
    this.flags = flags;
    this.copy = retained() ? Arena.ofAuto().allocate(size) : null;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public Contents contents() {
    return gone || lost != null ? Contents.LOST : Contents.VALID;
  }

  @Override
  public int references() {
    return Math.max(0, references.get());
  }

  int flags() {
    return flags;
  }

  boolean retained() {
    return (flags & Buffer.RETAINED) != 0;
  }

  /** As the CPU sees it; another one after each recovery. */
  Optional<View> view() {
    return Optional.ofNullable(view);
  }

  static AccelException invisible() {
    return new AccelException(Errno.ENOTSUP, "the CPU cannot see this device's memory");
  }

  /** Grows each time that all contents are lost. */
  int losses() {
    return losses;
  }

  /** Whether it is gone with its context or device. */
  boolean isGone() {
    return gone;
  }

  void lose() {
    gone = true;
    saved = null;
  }

  /** The device that was asked for it has it. */
  void placed(Optional<MemorySegment> whole) {
    view = whole.map(memory -> new View(memory.asSlice(0, size))).orElse(null);
  }

  /**
   * A device has it anew: contents that are kept are restored.
   *
   * @return whether they were
   */
  synchronized boolean replaced(Optional<MemorySegment> whole) {
    MemorySegment source = copy == null ? saved : copy;
    boolean kept = source != null && whole.isPresent();
    // whoever sees the new view sees its contents, or that they are lost
    if (kept) {
      MemorySegment.copy(source, 0, whole.get(), 0, size);
    } else {
      LostRanges all = new LostRanges();
      all.add(0, size);
      lost = all;
      losses++;
    }
    placed(whole);
    return kept;
  }

  /**
   * On the control lane, where nothing is unmapped meanwhile: keeps the contents for the next
   * device; mappings of this one write in vain from now on. What went with its context has none.
   */
  synchronized void save() {
    View from = view;
    if (copy == null && from != null && from.bytes.scope().isAlive()) {
      MemorySegment contents = Arena.ofAuto().allocate(size);
      saved = contents;
      VarHandle.fullFence();
      contents.copyFrom(from.bytes);
    }
  }

  /** What was saved is not needed any more. */
  void settled() {
    saved = null;
  }

  /**
   * A tenant's writes through a mapping are complete.
   *
   * @param from what it wrote to; null for what is not known
   * @throws AccelException EINTR when that is not this memory any more
   */
  void flush(View from, long offset, long length) {
    boolean healed;
    // not while it is replaced: the range would count as there on a device that never got it
    synchronized (this) {
      checkCurrent(from);
      if (copy != null) {
        MemorySegment.copy(from.bytes, offset, copy, offset, length);
      }
      healed = heal(offset, length);
    }
    if (healed) {
      context.memory().refreshLossy();
    }
  }

  private void checkCurrent(View from) {
    if (from == null || from != view || saved != null) {
      throw new AccelException(
          Errno.EINTR, "the memory moved in a recovery; write again through segment()");
    }
  }

  boolean isLost(long offset, long length) {
    LostRanges now = lost;
    return now != null && now.intersects(offset, length);
  }

  /** Contents of a range are gone: submissions are told by their stamps from those before. */
  synchronized void lose(long offset, long length) {
    LostRanges now = lost == null ? new LostRanges() : lost;
    now.add(offset, length);
    lost = now;
    context.seat().lostContents();
  }

  /** A range was made anew: contents that are kept are restored. */
  synchronized void restore(long offset, long length) {
    View target = view;
    if (copy != null && target != null) {
      MemorySegment.copy(copy, offset, target.bytes, offset, length);
      written(offset, length);
    }
  }

  /** Contents of a range are there again. */
  void written(long offset, long length) {
    boolean healed;
    synchronized (this) {
      healed = heal(offset, length);
    }
    if (healed) {
      context.memory().refreshLossy();
    }
  }

  /**
   * A submission that was admitted under {@code stamp} is about to write a range.
   *
   * @return false, and nothing is done, when contents were lost since
   */
  boolean written(long offset, long length, int stamp) {
    if (lost == null) {
      return true;
    }
    boolean healed;
    synchronized (this) {
      if (ContextState.stampOf(context.seat().word()) != stamp) {
        return false;
      }
      healed = heal(offset, length);
    }
    if (healed) {
      context.memory().refreshLossy();
    }
    return true;
  }

  /** In the lock: a range is there again. Returns whether it was the last that had been lost. */
  private boolean heal(long offset, long length) {
    if (lost == null) {
      return false;
    }
    lost.remove(offset, length);
    if (!lost.isEmpty()) {
      return false;
    }
    lost = null;
    return true;
  }

  /** Whether the caller is to free it on its device; true once. */
  boolean takeFree() {
    return freed.compareAndSet(false, true);
  }

  /** False when its last buffer was closed meanwhile. */
  boolean retain() {
    return references.getAndUpdate(n -> n < 0 ? n : n + 1) >= 0;
  }

  /** Whether that was the last reference; then no further one can be had. */
  boolean release() {
    return references.updateAndGet(n -> n == 1 ? -1 : n - 1) < 0;
  }
}
