package io.isle.core.accel.context;

import io.isle.api.accel.AccelAdmin;
import io.isle.api.accel.AccelException;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.MemoryObject;
import io.isle.api.base.Errno;
import io.isle.api.base.Ids;
import io.isle.api.tenancy.Permission;
import io.isle.core.accel.device.OpenDevice;
import io.isle.core.accel.group.MemoryLedger;
import io.isle.core.accel.memory.DeviceMemory;
import io.isle.core.accel.memory.FreshLosses;
import io.isle.core.accel.memory.Memories;
import io.isle.core.accel.memory.MemoryBudget;
import io.isle.core.accel.memory.MemoryPin;
import io.isle.core.accel.memory.RetainedBytes;
import java.lang.foreign.MemorySegment;
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

  private final ContextRecord record;
  private final WriterLock writer;
  private final CoreServices core;
  private final Map<Long, DeviceMemory> objects = new LinkedHashMap<>();
  private final MemoryBudget budget;
  private final RetainedBytes retained = new RetainedBytes();

  /**
   * @param ledger device memory by group
   */
  public ContextMemory(
      ContextRecord record, WriterLock writer, CoreServices core, MemoryLedger ledger) {
    this.record = record;
    this.writer = writer;
    this.core = core;
    this.budget =
        new MemoryBudget(
            record.memoryLimit(), ledger, record.group(), record.services().deviceId());
  }

  public long bytes() {
    return budget.used();
  }

  public MemoryBudget budget() {
    return budget;
  }

  public Buffer allocate(long size, int flags) {
    record.checkUsable();
    check();
    if (size < 1) {
      throw new AccelException(Errno.EINVAL, "bytes: " + size + " is less than 1");
    }
    if ((flags & ~FLAGS) != 0) {
      throw new AccelException(
          Errno.EINVAL,
          "flags: 0x" + Integer.toHexString(flags) + " is not PINNED | COHERENT | RETAINED");
    }
    OpenDevice device = record.device();
    long copied = (flags & Buffer.RETAINED) == 0 ? 0 : size;
    retained.take(copied, device.info().localMemoryBytes());
    boolean taken = false;
    boolean kept = false;
    try {
      budget.take(size);
      taken = true;
      DeviceMemory memory = make(device, size, flags);
      kept = true;
      return new DeviceBuffer(this, record, writer, memory, rights(memory));
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
    long id = core.ids().memory().take(record.capability().owner());
    DeviceMemory memory = new DeviceMemory(id, this, size, flags);
    boolean kept = false;
    try {
      memory.placed(made(device, memory));
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
        core.ids().memory().give(id);
      }
    }
  }

  private Optional<MemorySegment> made(OpenDevice device, DeviceMemory memory) {
    try {
      return device.lane().call("allocate", () -> DeviceAllocator.make(device, record, memory));
    } catch (AccelException e) {
      throw record.told(e);
    }
  }

  public Buffer attach(MemoryObject object, int access) {
    record.checkUsable();
    check();
    if (access == 0 || (access & ~(Buffer.READ | Buffer.WRITE)) != 0) {
      throw new AccelException(Errno.EINVAL, "access: READ, WRITE or both are needed");
    }
    if (!(object instanceof DeviceMemory memory)
        || !(memory.owner instanceof ContextMemory owner)
        || !owner.record.isBeside(record)) {
      throw new AccelException(
          Errno.EINVAL,
          "memory: the object is not memory of device " + record.services().deviceId());
    }
    if (!owner.record.capability().tenant().equals(record.capability().tenant())) {
      throw new AccelException(Errno.EACCES, "memory: the memory belongs to another tenant");
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
      throw new AccelException(Errno.ECLOSED, "memory: the last buffer of the memory was closed");
    }
    return new DeviceBuffer(this, record, writer, memory, access);
  }

  /** A buffer was closed; its memory goes with the last one, unless it is pinned. */
  void closed(DeviceBuffer buffer) {
    if (buffer.memory.release()) {
      free(buffer.memory);
    }
  }

  /** See {@link io.isle.api.accel.MemoryPins#pin(MemoryObject)}. */
  public MemoryPin pin(DeviceMemory memory) {
    while (true) {
      OpenDevice on = record.device();
      MemoryPin pin = memory.pin(new PinTarget(record, on, this::free));
      // who takes the context off its device does that first, then ends the pins
      if (record.isOn(on)) {
        return pin;
      }
      pin.close();
    }
  }

  /** The context was taken off its device, and with it what was pinned there. */
  public void endPins() {
    objects().stream().filter(DeviceMemory::endPins).forEach(this::free);
  }

  /** Nothing holds it any more. */
  void free(DeviceMemory memory) {
    Optional<OpenDevice> device;
    synchronized (this) {
      // of the next device only what it got: that was made of the objects
      device = record.bound();
      if (objects.remove(memory.id) == null) {
        return;
      }
    }
    memory.drop();
    retained.give(memory.retained() ? memory.size() : 0);
    budget.give(memory.size());
    refreshLossy();
    try {
      if (device.isPresent() && memory.takeFree()) {
        DeviceAllocator.free(device.get(), memory.id);
      }
    } catch (AccelException e) {
      // A device that is gone has it no more, and the next one will not get it.
      if (!record.leaving(e)) {
        throw e;
      }
    } finally {
      core.ids().memory().give(memory.id);
    }
  }

  @Override
  public synchronized Optional<DeviceMemory> find(long id) {
    return Optional.ofNullable(objects.get(id));
  }

  public synchronized List<DeviceMemory> objects() {
    return new ArrayList<>(objects.values());
  }

  @Override
  public Map<Long, FreshLosses> takeFreshLosses() {
    Map<Long, FreshLosses> all = new HashMap<>();
    for (DeviceMemory memory : objects()) {
      memory.takeFreshLosses().ifPresent(losses -> all.put(memory.id, losses));
    }
    return all;
  }

  @Override
  public void refreshLossy() {
    synchronized (record) {
      record.setLossy(objects().stream().anyMatch(m -> m.contents() == MemoryObject.Contents.LOST));
    }
  }

  /**
   * Keeps contents for the next device, but for those that there is no room for.
   *
   * @throws AccelException when the device is lost meanwhile: then what was not kept is lost too
   */
  public void save() {
    for (DeviceMemory memory : objects()) {
      try {
        record.bound().ifPresent(device -> device.lane().run("save", memory::save));
      } catch (AccelException e) {
        if (e.code() != Errno.ENOMEM) {
          throw e;
        }
        LOG.log(
            System.Logger.Level.WARNING,
            "{0}: the contents of memory {1} are lost: {2}",
            record.spec().name(),
            Ids.text(memory.id),
            e.getMessage());
      }
    }
  }

  /** What was saved is not needed any more. */
  public void settled() {
    objects().forEach(DeviceMemory::settled);
  }

  public synchronized void lose() {
    objects.values().forEach(DeviceMemory::lose);
    budget.end();
  }

  /** The driver has freed everything with the context. */
  public synchronized void end() {
    for (DeviceMemory memory : objects.values()) {
      memory.lose();
      core.ids().memory().give(memory.id);
    }
    objects.clear();
    budget.end();
  }

  public synchronized List<AccelAdmin.MemoryInfo> list() {
    List<AccelAdmin.MemoryInfo> all = new ArrayList<>();
    for (DeviceMemory memory : objects.values()) {
      all.add(
          new AccelAdmin.MemoryInfo(
              Ids.text(memory.id),
              record.services().deviceId(),
              Ids.text(record.id()),
              record.capability().tenant(),
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
    core.capabilities()
        .check(record.capability(), Permission.ACCEL_MEMORY, record.services().deviceId());
  }

  private static void freeQuietly(OpenDevice device, long id) {
    try {
      DeviceAllocator.free(device, id);
    } catch (AccelException e) {
      LOG.log(System.Logger.Level.DEBUG, "freed with its device: {0}", e.getMessage());
    }
  }

  /** The context left the device while that allocated. */
  private AccelException gone(OpenDevice device, long id) {
    freeQuietly(device, id);
    int code = record.stateCode();
    return new AccelException(
        code == 0 ? Errno.EINTR : code, "the device was replaced in the meantime; try again");
  }

  private synchronized boolean add(DeviceMemory memory, OpenDevice device) {
    // a recovery takes the context off its device first, then looks at its objects
    if (!record.usable() || !record.isOn(device)) {
      return false;
    }
    boolean ignored = memory.retain();
    objects.put(memory.id, memory);
    return true;
  }
}
