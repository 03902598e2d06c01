package io.isle.core.accel;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.AccelException;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.MemoryObject;
import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.driver.AllocArgs;
import io.isle.api.driver.Allocation;
import io.isle.api.tenancy.Permission;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The device memory of one context: limits, accounting, life. Control path; thread-safe. */
final class ContextMemory {
  private static final long ALIGNMENT = 4096;

  private final ExecutionContext context;
  private final ContextSeat seat;
  private final Set<DeviceMemory> objects = new LinkedHashSet<>();
  private long bytes;

  ContextMemory(ExecutionContext context, ContextSeat seat) {
    this.context = context;
    this.seat = seat;
  }

  synchronized long bytes() {
    return bytes;
  }

  Buffer allocate(long size, int flags) {
    context.checkUsable();
    check();
    if (size < 1) {
      throw new AccelException(Errno.EINVAL, "bytes: " + size + " is less than 1");
    }
    if ((flags & ~(Buffer.PINNED | Buffer.COHERENT)) != 0) {
      throw new AccelException(
          Errno.EINVAL, "flags: 0x" + Integer.toHexString(flags) + " is not PINNED | COHERENT");
    }
    reserve(size);
    long id = 0;
    boolean kept = false;
    try {
      id = seat.place().ids().memory().take();
      DeviceMemory memory = new DeviceMemory(id, context, size, driverAllocate(id, size, flags));
      kept = add(memory);
      if (!kept) {
        context.checkUsable();
      }
      return new DeviceBuffer(this, memory, Buffer.READ | Buffer.WRITE);
    } finally {
      if (!kept) {
        unreserve(size);
        if (id != 0) {
          seat.place().ids().memory().give(id);
        }
      }
    }
  }

  Buffer attach(MemoryObject object, int access) {
    context.checkUsable();
    check();
    if (access == 0 || (access & ~(Buffer.READ | Buffer.WRITE)) != 0) {
      throw new AccelException(Errno.EINVAL, "access: READ, WRITE or both are needed");
    }
    if (!(object instanceof DeviceMemory memory) || memory.context.seat().place() != seat.place()) {
      throw new AccelException(
          Errno.EINVAL, "memory: it is not memory of device " + seat.place().deviceId());
    }
    if (!memory.context.seat().capability().tenant().equals(seat.capability().tenant())) {
      throw new AccelException(Errno.EACCES, "memory: it belongs to another tenant");
    }
    if (memory.context != context) {
      throw new AccelException(
          Errno.ENOTSUP,
          "memory: contexts of this device have separate address spaces; copy through a mapping");
    }
    if (!memory.retain()) {
      throw new AccelException(Errno.ECLOSED, "memory: its last buffer was closed");
    }
    return new DeviceBuffer(this, memory, access);
  }

  /** A buffer was closed; its memory goes with the last one. */
  void closed(DeviceBuffer buffer) {
    DeviceMemory memory = buffer.memory;
    if (!memory.release()) {
      return;
    }
    synchronized (this) {
      if (!objects.remove(memory)) {
        return;
      }
      bytes -= memory.size();
    }
    if (context.usable()) {
      seat.device().lane().run("free", () -> seat.device().device().free(memory.id));
    }
    seat.place().ids().memory().give(memory.id);
  }

  synchronized void lose() {
    objects.forEach(DeviceMemory::lose);
  }

  /** The driver has freed everything with the context. */
  synchronized void end() {
    for (DeviceMemory memory : objects) {
      memory.lose();
      seat.place().ids().memory().give(memory.id);
    }
    objects.clear();
    bytes = 0;
  }

  synchronized List<AccelAdmin.MemoryInfo> list() {
    List<AccelAdmin.MemoryInfo> all = new ArrayList<>();
    for (DeviceMemory memory : objects) {
      all.add(
          new AccelAdmin.MemoryInfo(
              Ids.text(memory.id),
              seat.place().deviceId(),
              Ids.text(seat.id()),
              seat.capability().tenant(),
              memory.size(),
              memory.references(),
              memory.contents().name().toLowerCase(Locale.ROOT)));
    }
    return all;
  }

  private void check() {
    seat.place()
        .capabilities()
        .check(seat.capability(), Permission.ACCEL_MEMORY, seat.place().deviceId());
  }

  private java.util.Optional<java.lang.foreign.MemorySegment> driverAllocate(
      long id, long size, int flags) {
    AllocArgs args =
        new AllocArgs(size, ALIGNMENT, AllocArgs.PageSize.STANDARD, flags | AllocArgs.CPU_VISIBLE);
    OpenDevice opened = seat.device();
    Allocation allocation =
        opened.lane().call("allocate", () -> opened.device().allocate(seat.id(), id, args));
    if (allocation.size() < size
        || allocation.cpu().map(whole -> whole.byteSize() < size).orElse(false)) {
      opened.lane().run("free", () -> opened.device().free(id));
      throw new AccelException(
          Errno.EPROTO, seat.place().deviceId() + ": the driver gave less than " + size + " bytes");
    }
    return allocation.cpu();
  }

  private synchronized boolean add(DeviceMemory memory) {
    if (!context.usable()) {
      return false;
    }
    boolean ignored = memory.retain();
    return objects.add(memory);
  }

  private synchronized void reserve(long size) {
    long limit = seat.memoryLimit();
    if (limit != 0 && size > limit - bytes) {
      throw new AccelException(
          Errno.ENOMEM,
          "bytes: "
              + size
              + " more would exceed the context's limit of "
              + limit
              + " ("
              + bytes
              + " are taken); free buffers or raise maxMemoryBytes");
    }
    bytes += size;
  }

  private synchronized void unreserve(long size) {
    bytes -= size;
  }
}
