package io.isle.lib.signing;

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
   * @param known all fields, each of which must be there
   * @throws SigningException EINVAL
   */
  static KeyFields of(byte[] file, List<String> known) {
    if (file.length > MAX_BYTES) {
      throw bad("the file has more than " + MAX_BYTES + " bytes");
    }
    KeyFields fields = new KeyFields();
    int number = 0;
    for (String line : text(file).split("\n", -1)) {
      number++;
      String stripped = line.strip();
      if (!stripped.isEmpty() && !stripped.startsWith("#")) {
        fields.take(stripped, number, known);
      }
    }
    for (String field : known) {
      if (!fields.values.containsKey(field)) {
        throw bad("the field " + field + " is missing");
      }
    }
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
