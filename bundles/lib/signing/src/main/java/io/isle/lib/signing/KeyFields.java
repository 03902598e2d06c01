package io.isle.lib.signing;

import static java.util.stream.Collectors.joining;

import io.isle.api.base.Errno;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The text of a key file: lines {@code field: value}, each field once, {@code #} begins a comment.
 * The first mistake is told with its line or field.
 */
final class KeyFields {
  /** Longest key file, in bytes. */
  static final int MAX_BYTES = 16 << 10;

  private final Map<String, String> values = new HashMap<>();

  private KeyFields() {}

  /**
   * Takes a file apart.
   *
   * @param needed fields that must be there
   * @param others fields that may be there
   * @throws SigningException EINVAL
   */
  static KeyFields of(byte[] file, List<String> needed, List<String> others) {
    if (file.length > MAX_BYTES) {
      throw bad("the file has more than " + MAX_BYTES + " bytes");
    }
    KeyFields fields = new KeyFields();
    List<String> known = Stream.concat(needed.stream(), others.stream()).toList();
    int number = 0;
    for (String line : text(file).split("\n", -1)) {
      number++;
      String stripped = line.strip();
      if (!stripped.isEmpty() && !stripped.startsWith("#")) {
        fields.take(stripped, number, known);
      }
    }
    needed.forEach(fields::require);
    return fields;
  }

  private static String text(byte[] file) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(file)).toString();
    } catch (CharacterCodingException e) {
      throw new SigningException(Errno.EINVAL, "the file is not valid UTF-8", e);
    }
  }

  private void take(String line, int number, List<String> known) {
    int colon = line.indexOf(':');
    String field = colon < 0 ? "" : line.substring(0, colon).strip();
    if (!known.contains(field)) {
      throw bad("line " + number + " begins with none of the fields " + String.join(", ", known));
    }
    if (values.put(field, line.substring(colon + 1).strip()) != null) {
      throw bad("line " + number + ": the field " + field + " is given twice");
    }
  }

  private void require(String field) {
    if (!values.containsKey(field)) {
      throw bad("the field " + field + " is missing");
    }
  }

  /** The algorithm of a hybrid key, by its id. */
  Algorithm hybrid(String field) {
    String id = values.get(field);
    return Algorithm.hybrids().stream()
        .filter(hybrid -> hybrid.idText().equals(id))
        .findFirst()
        .orElseThrow(() -> bad(field + ": the value is not " + hybridIds()));
  }

  private static String hybridIds() {
    return Algorithm.hybrids().stream().map(Algorithm::idText).collect(joining(" or "));
  }

  /** Of the fields of hybrid algorithms beside Ed25519, that of one must be there, and no other. */
  void requireOnly(Algorithm used, String suffix) {
    require(used.second().field() + suffix);
    for (Algorithm hybrid : Algorithm.hybrids()) {
      String field = hybrid.second().field() + suffix;
      if (hybrid != used && values.containsKey(field)) {
        throw bad(field + ": the field does not belong to a key of " + used.idText());
      }
    }
  }

  /** A value that can be nothing else. */
  void expect(String field, String wanted) {
    if (!values.get(field).equals(wanted)) {
      throw bad(field + ": the value is not " + wanted);
    }
  }

  String name(String field) {
    String value = values.get(field);
    if (!KeyInfo.NAME.matcher(value).matches()) {
      throw bad(field + ": 1 to 64 letters, digits, '.', '_' and '-' are needed");
    }
    return value;
  }

  LocalDate date(String field) {
    try {
      return LocalDate.parse(values.get(field));
    } catch (DateTimeException e) {
      throw new SigningException(
          Errno.EINVAL, field + ": the value is not a date such as 2026-12-31", e);
    }
  }

  byte[] base64(String field) {
    try {
      return Base64.getDecoder().decode(values.get(field));
    } catch (IllegalArgumentException e) {
      throw new SigningException(Errno.EINVAL, field + ": the value is not Base64", e);
    }
  }

  static SigningException bad(String why) {
    return new SigningException(Errno.EINVAL, why);
  }
}
