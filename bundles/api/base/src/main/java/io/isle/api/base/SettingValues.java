package io.isle.api.base;

import java.util.Optional;

/** Checks and normalises values of settings. Pure functions. */
final class SettingValues {
  private SettingValues() {}

  static Optional<String> refusal(Setting setting, String value) {
    return switch (setting.type()) {
      case INT, BYTES -> number(setting, value);
      case BOOL ->
          value.equals("true") || value.equals("false")
              ? Optional.empty()
              : no(setting, value, "true or false");
      case ENUM ->
          setting.choices().contains(value)
              ? Optional.empty()
              : no(setting, value, "one of " + String.join(", ", setting.choices()));
      case STRING ->
          value.length() <= Setting.MAX_STRING && value.chars().noneMatch(Character::isISOControl)
              ? Optional.empty()
              : no(setting, value, "at most " + Setting.MAX_STRING + " printable characters");
    };
  }

  static String normalise(Setting setting, String value) {
    return switch (setting.type()) {
      case INT, BYTES -> Long.toString(parse(setting, value));
      default -> value;
    };
  }

  private static Optional<String> number(Setting setting, String value) {
    String range =
        setting.type() == Setting.Type.INT
            ? "a number from " + setting.min() + " to " + setting.max()
            : "a number of bytes from "
                + setting.min()
                + " to "
                + setting.max()
                + " ("
                + ByteSize.SUFFIXES
                + ")";
    try {
      long number = parse(setting, value);
      return number >= setting.min() && number <= setting.max()
          ? Optional.empty()
          : no(setting, value, range);
    } catch (NumberFormatException | ArithmeticException e) {
      return no(setting, value, range);
    }
  }

  private static long parse(Setting setting, String value) {
    return setting.type() == Setting.Type.BYTES ? ByteSize.parse(value) : Long.parseLong(value);
  }

  private static Optional<String> no(Setting setting, String value, String wanted) {
    String shown = value.length() > 60 ? value.substring(0, 60) + "..." : value;
    return Optional.of(setting.key() + ": '" + shown + "' is not " + wanted);
  }
}
