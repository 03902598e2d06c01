package io.isle.core.accel;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.AccelException;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.MemoryObject;
import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.tenancy.Permission;
import io.isle.core.accel.device.OpenDevice;
import io.isle.core.accel.memory.DeviceMemory;
import io.isle.core.accel.memory.LostRanges;
import io.isle.core.accel.memory.Memories;
import io.isle.core.accel.memory.MemoryBudget;
import io.isle.core.accel.memory.RetainedBytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The device memory of one context: limits, accounting, life over recoveries. Control path;
 * thread-safe.
 */
public final class ContextMemory implements Memories {
  private static final System.Logger LOG = System.getLogger(ContextMemory.class.getName());
  private static final int FLAGS = Buffer.PINNED | Buffer.COHERENT | Buffer.RETAINED;

  private final ExecutionContext context;
  private final ContextSeat seat;
  private final Map<Long, DeviceMemory> objects = new LinkedHashMap<>();
  private final MemoryBudget budget;
  private final RetainedBytes retained = new RetainedBytes();

  ContextMemory(ExecutionContext context, ContextSeat seat) {
    this.context = context;
    this.seat = seat;
    this.budget =
        new MemoryBudget(
            seat.memoryLimit(),
            seat.membership().members().accounts().memory(),
            seat.group(),
            seat.place().deviceId());
  }

  ExecutionContext context() {
    return context;
  }

  long bytes() {
    return budget.used();
  }

  MemoryBudget budget() {
    return budget;
  }

  Buffer allocate(long size, int flags) {
    seat.checkUsable();
    check();
    if (size < 1) {
      throw new AccelException(Errno.EINVAL, "bytes: " + size + " is less than 1");
    }
    if ((flags & ~FLAGS) != 0) {
      throw new AccelException(
          Errno.EINVAL,
          "flags: 0x" + Integer.toHexString(flags) + " is not PINNED | COHERENT | RETAINED");
    }
    OpenDevice device = seat.device();
    long copied = (flags & Buffer.RETAINED) == 0 ? 0 : size;
    retained.take(copied, device.info().localMemoryBytes());
    boolean taken = false;
    boolean kept = false;
    try {
      budget.take(size);
      taken = true;
      DeviceMemory memory = make(device, size, flags);
      kept = true;
      return new DeviceBuffer(this, memory, rights(memory));
    } finally {
      if (!kept) {
        retained.give(copied);
        if (taken) {
          budget.give(size);
        }
      }
    }
  }

  /** The device is asked first: what it has not is not copied either. */
  private DeviceMemory make(OpenDevice device, long size, int flags) {
    long id = seat.place().ids().memory().take(seat.capability().owner());
    DeviceMemory memory = new DeviceMemory(id, this, size, flags);
    boolean kept = false;
    try {
      memory.placed(device.lane().call("allocate", () -> PlacedMemory.make(device, seat, memory)));
      try {
        memory.keep();
      } catch (AccelException | OutOfMemoryError e) {
        freeQuietly(device, id);
        throw e;
      }
      kept = add(memory, device);
      if (!kept) {
        throw gone(device, id);
      }
      return memory;
    } finally {
      if (!kept) {
        memory.drop();
        seat.place().ids().memory().give(id);
      }
    }
  }

  Buffer attach(MemoryObject object, int access) {
    seat.checkUsable();
    check();
    if (access == 0 || (access & ~(Buffer.READ | Buffer.WRITE)) != 0) {
      throw new AccelException(Errno.EINVAL, "access: READ, WRITE or both are needed");
    }
    if (!(object instanceof DeviceMemory memory)
        || !(memory.owner instanceof ContextMemory owner)
        || owner.seat.place() != seat.place()) {
      throw new AccelException(
          Errno.EINVAL, "memory: it is not memory of device " + seat.place().deviceId());
    }
    if (!owner.seat.capability().tenant().equals(seat.capability().tenant())) {
      throw new AccelException(Errno.EACCES, "memory: it belongs to another tenant");
    }
    if (owner != this) {
      throw new AccelException(
          Errno.ENOTSUP,
          "memory: contexts of this device have separate address spaces; copy through a mapping");
    }
    if ((access & ~rights(memory)) != 0) {
      throw new AccelException(Errno.EACCES, "access: retained memory can only be read");
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
      if (objects.remove(memory.id) == null) {
        return;
      }
    }
    memory.drop();
    retained.give(memory.retained() ? memory.size() : 0);
    budget.give(memory.size());
    refreshLossy();
    try {
      Optional<OpenDevice> device = seat.bound();
      if (device.isPresent() && memory.takeFree()) {
        PlacedMemory.free(device.get(), memory.id);
      }
    } catch (AccelException e) {
      // A device that is gone has it no more, and the next one will not get it.
      if (!seat.leaving(e)) {
        throw e;
      }
    } finally {
      seat.place().ids().memory().give(memory.id);
    }
  }

  @Override
  public synchronized Optional<DeviceMemory> find(long id) {
    return Optional.ofNullable(objects.get(id));
  }

  synchronized List<DeviceMemory> objects() {
    return new ArrayList<>(objects.values());
  }

  @Override
  public Map<Long, LostRanges> takeFreshLosses() {
    Map<Long, LostRanges> all = new HashMap<>();
    for (DeviceMemory memory : objects()) {
      memory.takeFreshLosses().ifPresent(ranges -> all.put(memory.id, ranges));
    }
    return all;
  }

  @Override
  public void refreshLossy() {
    synchronized (seat) {
      seat.setLossy(objects().stream().anyMatch(m -> m.contents() == MemoryObject.Contents.LOST));
    }
  }

  /**
   * Keeps contents for the next device, but for those that there is no room for.
   *
   * @throws AccelException when the device is lost meanwhile: then what was not kept is lost too
   */
  void save() {
    for (DeviceMemory memory : objects()) {
      try {
        seat.bound().ifPresent(device -> device.lane().run("save", memory::save));
      } catch (AccelException e) {
        if (e.code() != Errno.ENOMEM) {
          throw e;
        }
        LOG.log(
            System.Logger.Level.WARNING,
            "{0}: contents of memory {1} are lost: {2}",
            seat.spec().name(),
            Ids.text(memory.id),
            e.getMessage());
      }
    }
  }

  /** What was saved is not needed any more. */
  void settled() {
    objects().forEach(DeviceMemory::settled);
  }

  synchronized void lose() {
    objects.values().forEach(DeviceMemory::lose);
    budget.end();
  }

  /** The driver has freed everything with the context. */
  synchronized void end() {
    for (DeviceMemory memory : objects.values()) {
      memory.lose();
      seat.place().ids().memory().give(memory.id);
    }
    objects.clear();
    budget.end();
  }

  synchronized List<AccelAdmin.MemoryInfo> list() {
    List<AccelAdmin.MemoryInfo> all = new ArrayList<>();
    for (DeviceMemory memory : objects.values()) {
      all.add(
          new AccelAdmin.MemoryInfo(
              Ids.text(memory.id),
              seat.place().deviceId(),
              Ids.text(seat.id()),
              seat.capability().tenant(),
              memory.size(),
              memory.retainedBytes(),
              memory.references(),
              memory.contents().name().toLowerCase(Locale.ROOT)));
    }
    return all;
  }

  private static int rights(DeviceMemory memory) {
    return memory.retained() ? Buffer.READ : Buffer.READ | Buffer.WRITE;
  }

  private void check() {
    seat.place()
        .capabilities()
        .check(seat.capability(), Permission.ACCEL_MEMORY, seat.place().deviceId());
  }

  private static void freeQuietly(OpenDevice device, long id) {
    try {
      PlacedMemory.free(device, id);
    } catch (AccelException e) {
      LOG.log(System.Logger.Level.DEBUG, "freed with its device: {0}", e.getMessage());
    }
  }

  /** The context left the device while that allocated. */
  private AccelException gone(OpenDevice device, long id) {
    freeQuietly(device, id);
    int code = seat.stateCode();
    return new AccelException(
        code == 0 ? Errno.EINTR : code, "the context left its device meanwhile; try again");
  }

  private synchronized boolean add(DeviceMemory memory, OpenDevice device) {
    // a recovery takes the context off its device first, then looks at its objects
    if (!seat.usable() || !seat.isOn(device)) {
      return false;
    }
    boolean ignored = memory.retain();
    objects.put(memory.id, memory);
    return true;
  }
}
