package io.isle.core.health;

import io.isle.api.base.Errno;
import io.isle.api.health.HealthException;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Constants as users write them: in small letters. Pure functions. */
final class Words {
  private Words() {}

  static String text(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  /**
   * The constant that {@code word} names.
   *
   * @param field for the message
   * @throws HealthException EINVAL
   */
  static <E extends Enum<E>> E parse(String field, Class<E> type, String word) {
    return Stream.of(type.getEnumConstants())
        .filter(value -> text(value).equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new HealthException(
                    Errno.EINVAL,
                    field
                        + ": '"
                        + word
                        + "' is not one of "
                        + Stream.of(type.getEnumConstants())
                            .map(Words::text)
                            .collect(Collectors.joining(", "))));
  }
}
