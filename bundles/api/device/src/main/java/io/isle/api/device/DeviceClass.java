package io.isle.api.device;

import java.util.Locale;
import java.util.Optional;

/** Classes of accelerators (accelerator framework, 42.2.3), with the numbers of the driver ABI. */
public enum DeviceClass {
  GPU(0),
  GPU_COMPUTE(1),
  NPU(2),
  TPU(3),
  FPGA(4),
  DSP(5),
  MEDIA_PROCESSOR(6),
  COMPUTE_STORAGE(7),
  OTHER(255);

  private final int code;

  DeviceClass(int code) {
    this.code = code;
  }

  /** The number in the driver ABI. */
  public int code() {
    return code;
  }

  /** Snake case, as in settings and JSON. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<DeviceClass> of(int code) {
    for (DeviceClass value : values()) {
      if (value.code == code) {
        return Optional.of(value);
      }
    }
    return Optional.empty();
  }
}
