package io.isle.core.drivers.nativecode;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.core.drivers.nativecode.host.Sandbox;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where the native pieces are and how they behave.
 *
 * @param directory holds {@code driver-host} and {@code libisle_shim.so}
 * @param spinUs how long a host's threads spin before they sleep
 * @param sandbox what confines a host
 */
public record NativeRuntime(Path directory, int spinUs, Sandbox sandbox) {
  /**
   * The same for a driver with another profile.
   *
   * @param cache the folder that it gets to write in, if its profile allows that; made when it is
   *     not there
   * @throws DriverException EIO when it cannot be made
   */
  public NativeRuntime with(Sandbox.Profile profile, Path cache) {
    boolean writes = profile == Sandbox.Profile.OPENCL;
    return new NativeRuntime(
        directory,
        spinUs,
        new Sandbox(
            profile,
            sandbox.memoryBytes(),
            sandbox.debug(),
            writes ? Optional.of(made(cache)) : Optional.empty()));
  }

  private static Path made(Path folder) {
    try {
      return Files.createDirectories(folder).toRealPath();
    } catch (IOException e) {
      throw new DriverException(Errno.EIO, "cannot make " + folder + ": " + e.getMessage(), e);
    }
  }

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
