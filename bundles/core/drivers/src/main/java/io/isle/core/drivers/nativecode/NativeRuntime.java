package io.isle.core.drivers.nativecode;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where the native pieces are and how they behave.
 *
 * @param directory holds {@code driver-host} and {@code libisle_shim.so}
 * @param spinUs how long a host's threads spin before they sleep
 */
public record NativeRuntime(Path directory, int spinUs) {
  /**
   * The host's executable.
   *
   * @throws DriverException ENOENT when it is not there
   */
  Path host() {
    return existing("driver-host");
  }

  /** The runtime as a library, for tier 1. */
  Path shim() {
    return existing("libisle_shim.so");
  }

  private Path existing(String name) {
    Path path = directory.resolve(name);
    if (!Files.exists(path)) {
      throw new DriverException(
          Errno.ENOENT,
          path
              + " is missing: build native-shims (make), or set native_dir in io.isle.drivers.cfg");
    }
    return path;
  }
}
