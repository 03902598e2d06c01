package io.isle.core.accel.memory;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.MemoryPins;
import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/** Device memory that is kept where it lies while one opening of its device lasts. Thread-safe. */
public final class MemoryPin implements MemoryPins.Pin {
  private final DeviceMemory memory;
  private final Target target;
  private final Optional<MemorySegment> cpu;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** The opening of a device on which pinned memory lies. */
  public interface Target {
    /** Id of the device. */
    String device();

    /** The group in whose process it lies, if that is not the device's own. */
    Optional<String> group();

    int epoch();

    /** Whether the context is still on it. */
    boolean lasts();

    /** Why it is not, for messages. */
    String endedWhy();

    /** Nothing holds the memory any more. */
    void free(DeviceMemory memory);
  }

  MemoryPin(DeviceMemory memory, Target target) {
    this.memory = memory;
    this.target = target;
    this.cpu = memory.view().map(view -> view.bytes);
  }

  @Override
  public String device() {
    check();
    return target.device();
  }

  @Override
  public Optional<String> group() {
    check();
    return target.group();
  }

  @Override
  public int epoch() {
    check();
    return target.epoch();
  }

  @Override
  public long memory() {
    check();
    return memory.id;
  }

  @Override
  public long size() {
    check();
    return memory.size();
  }

  @Override
  public Optional<MemorySegment> cpu() {
    check();
    return cpu;
  }

  @Override
  public boolean alive() {
    return !closed.get() && target.lasts();
  }

  private void check() {
    if (closed.get()) {
      throw over(Errno.ECLOSED, "the pin was closed");
    }
    if (!target.lasts()) {
      throw over(Errno.ESTALE, target.endedWhy());
    }
  }

  private AccelException over(int code, String why) {
    return new AccelException(
        code,
        target.device()
            + ": the pin of memory "
            + Ids.text(memory.id)
            + " in epoch "
            + target.epoch()
            + " has ended: "
            + why);
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true) && memory.unpin(this)) {
      target.free(memory);
    }
  }
}
