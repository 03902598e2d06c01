package io.isle.lib.signing;

import java.time.LocalDate;
import java.util.regex.Pattern;

/**
 * What a key file says besides the key.
 *
 * @param name 1 to 64 letters, digits, '.', '_' and '-'; for people only
 * @param notBefore first day (UTC) on which the key counts
 * @param notAfter last day
 */
public record KeyInfo(String name, LocalDate notBefore, LocalDate notAfter) {
  static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

  /**
   * Checks the values.
   *
   * @throws SigningException EINVAL naming the one that is wrong
   */
  public KeyInfo {
    if (!NAME.matcher(name).matches()) {
      throw KeyFields.bad("name: 1 to 64 letters, digits, '.', '_' and '-' are needed");
    }
    if (notAfter.isBefore(notBefore)) {
      throw KeyFields.bad("not-after: " + notAfter + " is before not-before, " + notBefore);
    }
  }

  static KeyInfo of(KeyFields fields) {
    return new KeyInfo(fields.name("name"), fields.date("not-before"), fields.date("not-after"));
  }

  String text() {
    return "name: %s%nnot-before: %s%nnot-after: %s%n".formatted(name, notBefore, notAfter);
  }
}
