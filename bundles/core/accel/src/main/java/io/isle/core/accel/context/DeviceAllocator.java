package io.isle.core.accel.context;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Buffer;
import io.isle.api.base.Errno;
import io.isle.api.driver.AllocArgs;
import io.isle.api.driver.Allocation;
import io.isle.core.accel.device.OpenDevice;
import io.isle.core.accel.memory.DeviceMemory;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Has a device make and free the memory of a memory object, and checks what it gives. */
public final class DeviceAllocator {
  private static final long ALIGNMENT = 4096;

  private DeviceAllocator() {}

  /**
   * On the control lane: asks a device for the memory.
   *
   * @return what the CPU sees of it
   * @throws AccelException EPROTO, ENOTSUP; or what the driver says
   */
  public static Optional<MemorySegment> make(
      OpenDevice opened, ContextRecord record, DeviceMemory memory) {
    int flags = memory.flags() & ~Buffer.RETAINED | AllocArgs.CPU_VISIBLE;
    AllocArgs args = new AllocArgs(memory.size(), ALIGNMENT, AllocArgs.PageSize.STANDARD, flags);
    Allocation allocation = opened.device().allocate(record.id(), memory.id, args);
    boolean tooSmall =
        allocation.size() < memory.size()
            || allocation.cpu().map(whole -> whole.byteSize() < memory.size()).orElse(false);
    boolean invisible = memory.retained() && allocation.cpu().isEmpty();
    if (!tooSmall && !invisible) {
      return allocation.cpu();
    }
    opened.device().free(memory.id);
    throw tooSmall
        ? new AccelException(
            Errno.EPROTO,
            record.services().deviceId()
                + ": the driver allocated less than the wanted "
                + memory.size()
                + " bytes")
        : new AccelException(
            Errno.ENOTSUP,
            "flags: RETAINED needs memory that the CPU can map, which this device lacks");
  }

  static void free(OpenDevice opened, long id) {
    opened.lane().run("free", () -> opened.device().free(id));
  }
}
