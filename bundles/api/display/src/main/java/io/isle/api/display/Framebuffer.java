package io.isle.api.display;

import io.isle.api.device.PixelFormat;
import org.osgi.annotation.versioning.ProviderType;

/** Memory that a screen can show. A framebuffer ends with its memory. Immutable. */
@ProviderType
public interface Framebuffer {
  /** Core id of kind FRAMEBUFFER. */
  long id();

  /** Width in pixels. */
  int width();

  /** Height in lines. */
  int height();

  /** Format of the pixels. */
  PixelFormat format();
}
