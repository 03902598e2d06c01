package io.isle.api.display;

import io.isle.api.accel.AccelException;
import io.isle.api.device.DisplayMode;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** The administrator's view of all screens. Results are snapshots. Thread-safe. */
@ProviderType
public interface DisplayAdmin {
  /** All connectors of open devices with displays, by device, then connector. */
  List<DisplayInfo> displays();

  /**
   * Modes of the connected screen; empty without a screen.
   *
   * @throws AccelException ENODEV if the device is not open; ENOTSUP without a display; ENOENT for
   *     an unknown connector
   */
  List<DisplayMode> modes(String device, int connector);
}
