package io.isle.api.display;

import io.isle.api.device.PixelFormat;
import org.osgi.annotation.versioning.ProviderType;

/** Memory that can be shown; gone with the memory. Immutable. */
@ProviderType
public interface Framebuffer {
  /** Core id of kind FRAMEBUFFER. */
  long id();

  int width();

  int height();

  PixelFormat format();
}
