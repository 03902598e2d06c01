package io.isle.core.accel.context;

import io.isle.api.accel.AccelException;
import io.isle.core.accel.device.OpenDevice;
import io.isle.core.accel.memory.DeviceMemory;
import io.isle.core.accel.memory.MemoryPin;
import java.util.Optional;
import java.util.function.Consumer;

/** One opening of a device with a context on it: the target of pins of the context's memory. */
public record PinTarget(ContextRecord record, OpenDevice on, Consumer<DeviceMemory> freed)
    implements MemoryPin.Target {
  private static final System.Logger LOG = System.getLogger(PinTarget.class.getName());

  @Override
  public String device() {
    return record.services().deviceId();
  }

  @Override
  public Optional<String> group() {
    return on.group();
  }

  @Override
  public int epoch() {
    return on.epoch();
  }

  @Override
  public boolean lasts() {
    return record.isOn(on);
  }

  @Override
  public String endedWhy() {
    String context = "context " + record.spec().name();
    return switch (record.state()) {
      case CLOSED -> context + record.closedWhy();
      case LOST -> context + " was lost: " + record.lostWhy();
      default ->
          group()
              .map(name -> "the process of group " + name + " was replaced")
              .orElse("the device was closed or recovered");
    };
  }

  /** Whoever closed the pin can do nothing about what the driver says. */
  @Override
  public void free(DeviceMemory memory) {
    try {
      freed.accept(memory);
    } catch (AccelException e) {
      LOG.log(System.Logger.Level.WARNING, "pinned memory could not be freed: {0}", e.getMessage());
    }
  }
}
