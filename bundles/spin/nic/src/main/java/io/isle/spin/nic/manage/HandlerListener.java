package io.isle.spin.nic.manage;

import io.isle.api.spin.HandlerImage;
import java.util.List;

/** Hears of the handlers of bundles; any thread. */
public interface HandlerListener {
  /** A bundle has come with these handlers, maybe in another version. */
  void came(String name);

  /**
   * A bundle may not bring handlers, or not any more.
   *
   * @param bundle name and version
   * @param images empty if they cannot be read
   */
  void refused(String bundle, List<HandlerImage> images, int code, String why);
}
