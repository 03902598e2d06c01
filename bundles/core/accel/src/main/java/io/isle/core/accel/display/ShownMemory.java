package io.isle.core.accel.display;

import io.isle.api.accel.Framebuffer;
import io.isle.api.device.DisplayMode;
import io.isle.api.device.PixelFormat;
import io.isle.core.accel.memory.DeviceMemory;

/** A framebuffer as the core keeps it: each device has it anew, like the memory that it is. */
public record ShownMemory(long id, DeviceMemory memory, int width, int height, PixelFormat format)
    implements Framebuffer {
  boolean isGone() {
    return memory.isGone() || memory.references() == 0;
  }

  boolean fits(DisplayMode mode) {
    return width == mode.width() && height == mode.height();
  }
}
