package io.isle.api.device;

import java.util.Locale;
import java.util.Optional;

/**
 * A connector of a device with displays, the Java form of AccelConnectorInfo (accelerator
 * framework, 42.2.6).
 *
 * @param id unique within the device
 * @param type kind of connector
 * @param maxWidth in pixels; 0 if unknown
 * @param maxHeight in lines; 0 if unknown
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

    /** The type with this number; empty for an unknown number. */
    public static Optional<Type> of(int code) {
      return code < 0 || code >= values().length ? Optional.empty() : Optional.of(values()[code]);
    }

    /** Lower case, as in tables and JSON. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
