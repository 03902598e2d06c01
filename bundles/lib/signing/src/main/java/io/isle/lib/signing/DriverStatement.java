package io.isle.lib.signing;

import io.isle.api.base.Errno;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What is signed of a native driver.
 *
 * @param name symbolic name of its bundle
 * @param version the bundle's version in OSGi's full form, such as {@code 1.0.0}
 * @param profile of its sandbox: signing it keeps anybody from giving the driver more than its
 *     author asked for
 * @param sha256 of its library, 64 hexadecimal digits in lower case
 */
public record DriverStatement(String name, String version, String profile, String sha256) {
  /** Most bytes of a text in UTF-8. */
  static final int MAX_TEXT = 512;

  private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

  /**
   * Checks the values.
   *
   * @throws SigningException EINVAL naming the one that is wrong
   */
  public DriverStatement {
    check("name", name);
    check("version", version);
    check("profile", profile);
    if (!SHA256.matcher(sha256).matches()) {
      throw new SigningException(Errno.EINVAL, "sha256: 64 hexadecimal digits are needed");
    }
  }

  private static void check(String field, String value) {
    int length = value.getBytes(StandardCharsets.UTF_8).length;
    if (length < 1 || length > MAX_TEXT || value.chars().anyMatch(Character::isISOControl)) {
      throw new SigningException(
          Errno.EINVAL, field + ": 1 to " + MAX_TEXT + " bytes of printable text are needed");
    }
  }

  /** The first value in which it differs from what was found, as text; empty if in none. */
  Optional<String> difference(DriverStatement found) {
    Map<String, String> here = found.values();
    return values().entrySet().stream()
        .filter(signed -> !signed.getValue().equals(here.get(signed.getKey())))
        .map(
            signed ->
                String.format(
                    "the %s is %s, but %s was signed",
                    signed.getKey(), here.get(signed.getKey()), signed.getValue()))
        .findFirst();
  }

  private Map<String, String> values() {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("bundle's name", name);
    values.put("bundle's version", version);
    values.put("sandbox profile", profile);
    values.put("library's SHA-256", sha256);
    return values;
  }
}
