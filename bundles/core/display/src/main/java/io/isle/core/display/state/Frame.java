package io.isle.core.display.state;

import io.isle.api.device.DisplayMode;
import io.isle.api.device.PixelFormat;
import io.isle.api.display.Framebuffer;

/**
 * A framebuffer as the core keeps it: each opening of a device has it anew, like the memory that it
 * is. Immutable.
 *
 * @param owner whose share of the ids it counts for
 * @param tenant who may show it
 * @param memory core id
 * @param issuer who issued that id: the number of the service {@code MemoryPins}
 */
public record Frame(
    long id,
    String owner,
    String tenant,
    long memory,
    long issuer,
    int width,
    int height,
    PixelFormat format)
    implements Framebuffer {
  boolean fits(DisplayMode mode) {
    return width == mode.width() && height == mode.height();
  }
}
