package io.isle.api.device;

import java.util.Locale;
import java.util.Optional;

/**
 * A connector of a device with a display, the Java form of AccelConnectorInfo (accelerator
 * framework, 42.2.6).
 *
 * @param id unique within the device
 * @param maxWidth pixels; 0 if not known
 * @param maxHeight lines; 0 if not known
 * @param connected whether a screen is plugged in
 * @param active whether a mode is set
 */
public record DisplayConnector(
    int id, Type type, int maxWidth, int maxHeight, boolean connected, boolean active) {
  /** Kinds of connectors, with the numbers of the driver ABI: 0 to 5 in this order. */
  public enum Type {
    HDMI,
    DISPLAYPORT,
    DVI,
    VGA,
    EDP,
    VIRTUAL;

    /** The kind with this number, if there is one. */
    public static Optional<Type> of(int code) {
      return code < 0 || code >= values().length ? Optional.empty() : Optional.of(values()[code]);
    }

    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
