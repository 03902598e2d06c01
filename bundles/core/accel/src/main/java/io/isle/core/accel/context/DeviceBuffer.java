package io.isle.core.accel.context;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.Mapping;
import io.isle.api.accel.MemoryObject;
import io.isle.api.base.Errno;
import io.isle.core.accel.memory.DeviceMemory;
import java.util.concurrent.atomic.AtomicInteger;

/** A context's right to device memory. */
public final class DeviceBuffer extends Resource implements Buffer {
  /** Bits of an access that leave out a copy. */
  public static final int NO_COPY = NO_COPY_IN | NO_COPY_BACK;

  public final DeviceMemory memory;
  private final int access;
  private final ContextMemory owner;
  private final AtomicInteger mappings = new AtomicInteger();

  DeviceBuffer(
      ContextMemory owner,
      ContextRecord record,
      WriterLock writer,
      DeviceMemory memory,
      int access) {
    super(record, writer, memory.id);
    this.owner = owner;
    this.memory = memory;
    this.access = access;
  }

  @Override
  public long size() {
    return memory.size();
  }

  @Override
  public MemoryObject memory() {
    return memory;
  }

  /** 0, or the negated code why a submission may not use these bytes so. */
  public int checkUse(long offset, long length, int wanted) {
    if (!open()) {
      return -Errno.EINVAL;
    }
    if (offset < 0 || length < 1 || length > size() - offset) {
      return -Errno.ERANGE;
    }
    int rights = wanted & ~NO_COPY;
    if (rights == 0 || (rights & ~(READ | WRITE)) != 0) {
      return -Errno.EINVAL;
    }
    if ((rights & ~access) != 0) {
      return -Errno.EACCES;
    }
    return rights == wanted ? 0 : useApart();
  }

  private int useApart() {
    int code = record.launchCode();
    if (code == 0) {
      memory.useApart();
    }
    return code;
  }

  @Override
  public Mapping map() {
    record.checkUsable();
    if (!open()) {
      throw new AccelException(Errno.ECLOSED, "the buffer is closed");
    }
    DeviceMemory.View now = memory.view().orElseThrow(DeviceMemory::invisible);
    mappings.incrementAndGet();
    return new BufferMapping(this, now);
  }

  void unmapped() {
    mappings.decrementAndGet();
  }

  @Override
  public void close() {
    if (open() && mappings.get() > 0 && !record.over()) {
      throw new AccelException(Errno.EBUSY, "the buffer is mapped; close its mapping first");
    }
    if (end("the buffer")) {
      owner.closed(this);
    }
  }
}
