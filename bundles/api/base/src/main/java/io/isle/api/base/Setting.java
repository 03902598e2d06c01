package io.isle.api.base;

import java.util.List;
import java.util.Optional;

/**
 * One setting of a service or of a driver's devices. Values are checked before they take effect:
 * values of a service by {@link CheckedSettings}, values of a device before the device is opened.
 * Immutable.
 *
 * @param key {@code [a-z][a-z0-9_]*}
 * @param min smallest value of INT and BYTES
 * @param max largest value of INT and BYTES
 * @param choices allowed values of ENUM
 * @param defaultValue default value as text; must be valid
 * @param help one line
 */
public record Setting(
    String key,
    Type type,
    long min,
    long max,
    List<String> choices,
    String defaultValue,
    String help) {
  /** Types of settings, with the numbers of the driver ABI: 1 to 5 in this order. */
  public enum Type {
    /** A decimal number from {@code min} to {@code max}. */
    INT,
    /**
     * A byte count from {@code min} to {@code max}, 0 or more, in the notation of {@link ByteSize}.
     */
    BYTES,
    /** {@code true} or {@code false}. */
    BOOL,
    /** A text of at most {@link #MAX_STRING} characters. */
    STRING,
    /** One of the choices. */
    ENUM
  }

  /** Longest STRING value in characters. */
  public static final int MAX_STRING = 1024;

  public Setting {
    choices = List.copyOf(choices);
  }

  /**
   * An INT setting.
   *
   * @param value the default
   */
  public static Setting integer(String key, long min, long max, long value, String help) {
    return new Setting(key, Type.INT, min, max, List.of(), Long.toString(value), help);
  }

  /**
   * A BYTES setting.
   *
   * @param value the default
   */
  public static Setting bytes(String key, long min, long max, long value, String help) {
    return new Setting(key, Type.BYTES, min, max, List.of(), Long.toString(value), help);
  }

  /**
   * A BOOL setting.
   *
   * @param value the default
   */
  public static Setting bool(String key, boolean value, String help) {
    return new Setting(key, Type.BOOL, 0, 1, List.of(), Boolean.toString(value), help);
  }

  /**
   * A STRING setting.
   *
   * @param value the default
   */
  public static Setting string(String key, String value, String help) {
    return new Setting(key, Type.STRING, 0, MAX_STRING, List.of(), value, help);
  }

  /**
   * An ENUM setting.
   *
   * @param value the default
   */
  public static Setting choice(String key, List<String> choices, String value, String help) {
    return new Setting(key, Type.ENUM, 0, 0, choices, value, help);
  }

  /** The reason to refuse {@code value}, with key and limit; empty for a valid value. */
  public Optional<String> refusal(String value) {
    return SettingValues.refusal(this, value);
  }

  /** A valid value in the form for drivers: BYTES as a plain decimal number. */
  public String normalise(String value) {
    return SettingValues.normalise(this, value);
  }
}
