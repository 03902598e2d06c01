package io.isle.api.base;

import java.util.List;
import java.util.Optional;

/**
 * One setting of a service or of a driver's devices. Values are checked against it before they are
 * in force: those of a service by {@link CheckedSettings}, those of a device before it is opened.
 *
 * @param key {@code [a-z][a-z0-9_]*}
 * @param min smallest value of INT and BYTES
 * @param max largest value of INT and BYTES
 * @param choices values of ENUM
 * @param defaultValue as text; must itself be valid
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
  /** Types, with the numbers of the driver ABI: 1 to 5 in this order. */
  public enum Type {
    INT,
    /** A number of bytes, 0 or more, in the notation of {@link ByteSize}. */
    BYTES,
    BOOL,
    STRING,
    ENUM
  }

  /** Longest STRING value. */
  public static final int MAX_STRING = 1024;

  public Setting {
    choices = List.copyOf(choices);
  }

  public static Setting integer(String key, long min, long max, long value, String help) {
    return new Setting(key, Type.INT, min, max, List.of(), Long.toString(value), help);
  }

  public static Setting bytes(String key, long min, long max, long value, String help) {
    return new Setting(key, Type.BYTES, min, max, List.of(), Long.toString(value), help);
  }

  public static Setting bool(String key, boolean value, String help) {
    return new Setting(key, Type.BOOL, 0, 1, List.of(), Boolean.toString(value), help);
  }

  public static Setting string(String key, String value, String help) {
    return new Setting(key, Type.STRING, 0, MAX_STRING, List.of(), value, help);
  }

  public static Setting choice(String key, List<String> choices, String value, String help) {
    return new Setting(key, Type.ENUM, 0, 0, choices, value, help);
  }

  /** Why {@code value} is refused, naming key and limit; empty when it is good. */
  public Optional<String> refusal(String value) {
    return SettingValues.refusal(this, value);
  }

  /** The value in the form that drivers get: BYTES as a plain decimal number. */
  public String normalise(String value) {
    return SettingValues.normalise(this, value);
  }
}
