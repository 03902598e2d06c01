package io.isle.core.drivers.versions;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What the manifest of a bundle says of the native driver that it brings, as it stands there.
 *
 * @param name symbolic name of the bundle
 * @param version of the bundle, in OSGi's full form
 * @param library entry of the library
 * @param profile of its sandbox
 */
public record DriverHeaders(String name, String version, String library, String profile) {
  public static final String LIBRARY = "Isle-Driver";
  public static final String PROFILE = "Isle-Driver-Profile";

  private static final String DEFAULT_PROFILE = "compute";

  /** OSGi's own syntax, of which the framework checks nothing. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*");

  private static final int MAX_NAME = 200;

  /**
   * With spaces and defaults as they are meant.
   *
   * @param name null if the manifest has none
   * @param profile null if the manifest has none
   */
  public static DriverHeaders of(String name, String version, String library, String profile) {
    return new DriverHeaders(
        Optional.ofNullable(name).orElse(""),
        version,
        library.strip(),
        Optional.ofNullable(profile).map(String::strip).orElse(DEFAULT_PROFILE));
  }

  /**
   * Folders are named after the bundle, and the library is read by its entry: neither may lead
   * elsewhere.
   *
   * @throws DriverException EINVAL naming the header
   */
  public void check() {
    if (name.length() > MAX_NAME || !NAME.matcher(name).matches()) {
      throw new DriverException(
          Errno.EINVAL,
          "Bundle-SymbolicName: up to "
              + MAX_NAME
              + " letters, digits, '_' and '-' with single"
              + " dots between them are needed");
    }
    for (String part : library.split("/", -1)) {
      if (part.isEmpty() || part.equals(".") || part.equals("..")) {
        throw new DriverException(
            Errno.EINVAL,
            LIBRARY + ": '" + library + "' is not a plain path such as lib/libdemo.so");
      }
    }
  }
}
