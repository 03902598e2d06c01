package io.isle.api.display;

import io.isle.api.accel.AccelException;
import io.isle.api.device.DisplayMode;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** What an administrator sees of all screens. Thread-safe; snapshots. */
@ProviderType
public interface DisplayAdmin {
  /** One line a connector of every open device with a display, by device, then connector. */
  List<DisplayInfo> displays();

  /**
   * Modes of the screen that is plugged in there; none if there is none.
   *
   * @throws AccelException ENODEV when it is not open; ENOTSUP without a display; ENOENT for an
   *     unknown connector
   */
  List<DisplayMode> modes(String device, int connector);
}
