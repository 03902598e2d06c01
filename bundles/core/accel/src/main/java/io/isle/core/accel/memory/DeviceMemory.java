package io.isle.core.accel.memory;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.MemoryObject;
import io.isle.api.base.Errno;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Device memory of one context; freed when its last buffer and its last pin are closed. It outlives
 * the device that it lies on: each opening has it anew, with its contents carried over or lost.
 * Thread-safe.
 */
public final class DeviceMemory implements MemoryObject {
  public final long id;
  public final Memories owner;
  private final long size;
  private final int flags;
  private final Holders holders = new Holders();
  private final AtomicBoolean freed = new AtomicBoolean();
  private final LostContents lost = new LostContents();

  /**
   * What of the device's own copy is not as earlier work left it. Drivers without such copies have
   * the memory itself there, which the core does not know.
   */
  private final LostContents stale = new LostContents();

  /** Some submission left out a copy to or from the device. */
  private volatile boolean apart;

  /** What tenants wrote through mappings; null unless retained. Written in the lock. */
  private volatile KeptContents copy;

  /** Contents on their way to the next device; null if there are none. Guarded by this. */
  private KeptContents saved;

  /** Nothing is kept any more. Guarded by this. */
  private boolean dropped;

  /** Null when the CPU cannot see it. */
  private volatile View view;

  /** The view some pages of which are being replaced; null if none are. Written in the lock. */
  private volatile View retiring;

  private volatile int losses;
  private volatile boolean gone;

  /** The memory as the CPU sees it on one device. */
  public static final class View {
    public final MemorySegment bytes;

    private View(MemorySegment bytes) {
      this.bytes = bytes;
    }
  }

  /**
   * @param flags as the tenant gave them
   */
  public DeviceMemory(long id, Memories owner, long size, int flags) {
    this.id = id;
    this.owner = owner;
    this.size = size;
    this.flags = flags;
  }

  /**
   * Makes the copy of retained memory, once a device has given the memory itself.
   *
   * @throws AccelException ENOMEM
   */
  public synchronized void keep() {
    if (retained() && !dropped) {
      copy = KeptContents.of(size);
    }
  }

  /** Bytes that the core has for a copy of its own. */
  public long retainedBytes() {
    return copy == null ? 0 : size;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public Contents contents() {
    return gone || lost.some() ? Contents.LOST : Contents.VALID;
  }

  @Override
  public int references() {
    return holders.buffers();
  }

  public int flags() {
    return flags;
  }

  public boolean retained() {
    return (flags & Buffer.RETAINED) != 0;
  }

  /** As the CPU sees it; another one once what was written to the last may be gone. */
  public Optional<View> view() {
    return Optional.ofNullable(view);
  }

  public static AccelException invisible() {
    return new AccelException(Errno.ENOTSUP, "the CPU cannot see this device's memory");
  }

  /** Grows each time that all contents are lost. */
  public int losses() {
    return losses;
  }

  /** Whether it is gone with its context or device. */
  public boolean isGone() {
    return gone;
  }

  /** It is gone with its context or device. */
  public void lose() {
    gone = true;
    drop();
  }

  /** Gives back what is kept of it; nothing is kept from now on. Idempotent. */
  public synchronized void drop() {
    dropped = true;
    KeptContents kept = copy;
    copy = null;
    if (kept != null) {
      kept.close();
    }
    settled();
  }

  /** The device that was asked for it has it. */
  public void placed(Optional<MemorySegment> whole) {
    view = whole.map(memory -> new View(memory.asSlice(0, size))).orElse(null);
  }

  /**
   * A device has it anew: contents that are kept are restored.
   *
   * @param launches whether work of the device may leave out copies
   * @return whether they were
   */
  public synchronized boolean replaced(Optional<MemorySegment> whole, boolean launches) {
    KeptContents source = copy == null ? saved : copy;
    boolean kept = source != null && whole.isPresent();
    if (launches) {
      stale.add(0, size);
    } else {
      stale.clear();
    }
    // whoever sees the new view sees its contents, or that they are lost
    if (kept) {
      MemorySegment.copy(source.bytes(), 0, whole.get(), 0, size);
      if (copy != null) {
        lost.clear();
      }
    } else {
      lost.add(0, size);
      losses++;
    }
    placed(whole);
    return kept;
  }

  /**
   * On the control lane, where nothing is unmapped meanwhile: keeps the contents for the next
   * device; mappings of this one write in vain from now on. What went with its context has none.
   *
   * @throws AccelException ENOMEM: then they are lost
   */
  public synchronized void save() {
    View from = view;
    if (!dropped && copy == null && from != null && from.bytes.scope().isAlive()) {
      settled();
      saved = KeptContents.of(size);
      VarHandle.fullFence();
      saved.bytes().copyFrom(from.bytes);
    }
  }

  /** What was saved is not needed any more. */
  public synchronized void settled() {
    KeptContents over = saved;
    saved = null;
    if (over != null) {
      over.close();
    }
  }

  /**
   * A tenant's writes through a mapping are complete.
   *
   * @param from what it wrote to; null for what is not known
   * @throws AccelException EINTR when that is not this memory any more
   */
  public void flush(View from, long offset, long length) {
    boolean healed;
    // not while it is replaced: the range would count as there on a device that never got it
    synchronized (this) {
      checkCurrent(from);
      if (copy != null) {
        MemorySegment.copy(from.bytes, offset, copy.bytes(), offset, length);
      }
      healed = lost.restore(offset, length);
    }
    if (healed) {
      owner.refreshLossy();
    }
  }

  private void checkCurrent(View from) {
    if (from == null || from != view || from == retiring || saved != null) {
      throw new AccelException(
          Errno.EINTR, "the memory moved in a recovery; write again through segment()");
    }
  }

  public boolean isLost(long offset, long length) {
    return lost.intersects(offset, length);
  }

  /** Contents of a range of whole pages are gone; the last page may be used in part. */
  public void lose(long offset, long length) {
    if (offset < size) {
      lost.add(offset, Math.min(length, size - offset));
      stale.add(offset, Math.min(length, size - offset));
    }
  }

  /** Whether kept contents may read as zeros for a moment. */
  public boolean isRetiring() {
    return retiring != null;
  }

  /** What was lost since this was asked last. */
  public Optional<FreshLosses> takeFreshLosses() {
    LostRanges contents = lost.takeFresh().orElse(null);
    LostRanges copies = stale.takeFresh().orElse(null);
    if (!apart) {
      copies = null;
    }
    return contents == null && copies == null
        ? Optional.empty()
        : Optional.of(
            new FreshLosses(
                contents == null ? new LostRanges() : contents,
                copies == null ? new LostRanges() : copies));
  }

  /** A submission is being written that leaves out a copy to or from the device. */
  public void useApart() {
    if (!apart) {
      apart = true;
    }
  }

  /** Whether some of the device's own copy is not as earlier work left it. */
  public boolean isStale() {
    return stale.some();
  }

  /** Whether some of a range of the device's own copy is not as earlier work left it. */
  public boolean isStale(long offset, long length) {
    return stale.intersects(offset, length);
  }

  /** A range of the device's own copy is made or copied before later submissions use it. */
  public void copied(long offset, long length) {
    boolean ignored = stale.heal(offset, length);
  }

  /** Pages are about to be replaced: what is written through mappings meanwhile may be lost. */
  public synchronized void beginRetirement() {
    retiring = view;
  }

  /** A range of whole pages was made anew: contents that are kept are restored. */
  public synchronized void restore(long offset, long length) {
    if (copy != null && retiring != null && retiring == view && offset < size) {
      MemorySegment.copy(
          copy.bytes(), offset, retiring.bytes, offset, Math.min(length, size - offset));
    }
  }

  /** All are replaced. The bytes lie where they lay, but what was written before may be lost. */
  public synchronized void endRetirement() {
    if (retiring != null && retiring == view) {
      view = new View(retiring.bytes);
    }
    retiring = null;
  }

  /** Contents of a range are there again, or will be before a later submission reads them. */
  public void written(long offset, long length) {
    if (lost.heal(offset, length)) {
      owner.refreshLossy();
    }
  }

  /** Whether the caller is to free it on its device; true once. */
  public boolean takeFree() {
    return freed.compareAndSet(false, true);
  }

  /** False when its last buffer was closed meanwhile. */
  public boolean retain() {
    return holders.retain();
  }

  /** A buffer was closed; whether nothing holds the memory any more, which is so once. */
  public boolean release() {
    return holders.release();
  }

  /**
   * Keeps it where it lies. The caller then looks whether that still lasts, and ends the pin if
   * not.
   *
   * @throws AccelException ECLOSED when its last buffer was closed
   */
  public MemoryPin pin(MemoryPin.Target target) {
    MemoryPin pin = new MemoryPin(this, target);
    if (!holders.add(pin)) {
      throw new AccelException(Errno.ECLOSED, "memory: the last buffer of the memory was closed");
    }
    return pin;
  }

  /** A pin was closed; whether nothing holds the memory any more, which is so once. */
  boolean unpin(MemoryPin pin) {
    return holders.remove(pin);
  }

  /** The opening that the memory was pinned on has ended; returns as {@link #release}. */
  public boolean endPins() {
    return holders.clear();
  }
}
