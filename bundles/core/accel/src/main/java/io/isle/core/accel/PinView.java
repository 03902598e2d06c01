package io.isle.core.accel;

import io.isle.api.accel.AccelException;
import io.isle.api.accel.Buffer;
import io.isle.api.accel.MemoryObject;
import io.isle.api.accel.MemoryPins;
import io.isle.api.base.Errno;
import io.isle.api.tenancy.Capability;
import io.isle.core.accel.context.ContextMemory;
import io.isle.core.accel.context.ContextRecord;
import io.isle.core.accel.context.DeviceBuffer;
import io.isle.core.accel.memory.DeviceMemory;
import java.util.Optional;

/** Finds and pins the memory of all contexts. Control path; thread-safe. */
final class PinView implements MemoryPins {
  private final AccelCore core;

  PinView(AccelCore core) {
    this.core = core;
  }

  @Override
  public Pin pin(MemoryObject memory) {
    if (!(memory instanceof DeviceMemory own) || !(own.owner instanceof ContextMemory owner)) {
      throw new AccelException(Errno.EINVAL, "memory: the object is not memory of this node");
    }
    return owner.pin(own);
  }

  @Override
  public Pin pin(Capability capability, Buffer buffer) {
    if (!(buffer instanceof DeviceBuffer own)) {
      throw new AccelException(Errno.EINVAL, "buffer: the object is not a buffer of this node");
    }
    ContextRecord record = own.record;
    core.checkHolder(capability, record.services().deviceId());
    if (!record.capability().tenant().equals(capability.tenant())) {
      throw new AccelException(Errno.EACCES, "buffer: the buffer belongs to another tenant");
    }
    if (!own.open()) {
      throw new AccelException(Errno.ECLOSED, "buffer: the buffer is closed");
    }
    return pin(own.memory);
  }

  @Override
  public Optional<MemoryObject> find(long memory) {
    return core.devices().stream()
        .flatMap(device -> device.contexts().stream())
        .flatMap(context -> context.memory().find(memory).stream())
        .findFirst()
        .map(MemoryObject.class::cast);
  }
}
