package io.isle.api.device;

import java.util.Locale;
import java.util.Optional;

/** Classes of accelerators (accelerator framework, 42.2.3), with the numbers of the driver ABI. */
public enum DeviceClass {
  /** Graphics processor with a display. */
  GPU(0),
  /** Graphics processor for computation. */
  GPU_COMPUTE(1),
  /** Neural network processor. */
  NPU(2),
  /** Tensor processor. */
  TPU(3),
  /** Programmable gate array. */
  FPGA(4),
  /** Signal processor. */
  DSP(5),
  /** Processor for video and audio. */
  MEDIA_PROCESSOR(6),
  /** Storage with computation. */
  COMPUTE_STORAGE(7),
  /** Any other accelerator. */
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

  /** The class with this number in the driver ABI; empty for an unknown number. */
  public static Optional<DeviceClass> of(int code) {
    for (DeviceClass value : values()) {
      if (value.code == code) {
        return Optional.of(value);
      }
    }
    return Optional.empty();
  }
}
