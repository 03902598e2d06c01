package io.isle.core.drivers;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import io.isle.core.drivers.nativecode.NativeDriver;
import io.isle.core.drivers.nativecode.NativeRuntime;
import io.isle.core.drivers.nativecode.Sandbox;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleEvent;
import org.osgi.util.tracker.BundleTracker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Extender: a bundle with the header {@code Isle-Driver: lib/libNAME.so} brings a native driver;
 * its author ships a manifest and a library, no Java. The library is unpacked under a fresh name.
 * The header {@code Isle-Driver-Profile} says what its sandbox must let through: {@code compute},
 * the default, or {@code gpu}.
 */
final class NativeDriverTracker extends BundleTracker<Path> {
  static final String HEADER = "Isle-Driver";
  static final String PROFILE = "Isle-Driver-Profile";
  private static final Logger DRIVER_OUTPUT = LoggerFactory.getLogger("io.isle.driver");
  private static final Logger LOG = LoggerFactory.getLogger(NativeDriverTracker.class);

  private final DriverManager manager;
  private final NativeRuntime runtime;
  private final Path directory;

  NativeDriverTracker(
      BundleContext context, DriverManager manager, NativeRuntime runtime, Path directory) {
    super(context, Bundle.ACTIVE, null);
    this.manager = manager;
    this.runtime = runtime;
    this.directory = directory;
  }

  @Override
  public Path addingBundle(Bundle bundle, BundleEvent event) {
    String entry = bundle.getHeaders("").get(HEADER);
    if (entry == null) {
      return null;
    }
    String source = bundle.getSymbolicName() + " " + bundle.getVersion();
    Path library = directory.resolve(UUID.randomUUID() + ".so");
    manager.add(
        library,
        source,
        () -> {
          unpack(bundle, entry.trim(), library);
          String name = bundle.getSymbolicName();
          String profile = bundle.getHeaders("").get(PROFILE);
          NativeRuntime confined =
              profile == null ? runtime : runtime.with(Sandbox.Profile.of(profile.strip()));
          return new NativeHandle(
              NativeDriver.look(
                  confined, library, line -> DRIVER_OUTPUT.info("{}: {}", name, line)),
              source,
              "",
              NativeHandle.Versions.NONE);
        });
    return library;
  }

  @Override
  public void removedBundle(Bundle bundle, BundleEvent event, Path library) {
    manager.remove(library);
    try {
      Files.deleteIfExists(library);
    } catch (IOException e) {
      LOG.warn("cannot delete {}: {}", library, e.getMessage());
    }
  }

  private static void unpack(Bundle bundle, String entry, Path to) {
    URL url = bundle.getEntry(entry);
    if (url == null) {
      throw new DriverException(Errno.ENOENT, HEADER + ": the bundle has no entry " + entry);
    }
    try (InputStream in = url.openStream()) {
      Files.createDirectories(to.getParent());
      Files.copy(in, to);
    } catch (IOException e) {
      throw new DriverException(Errno.EIO, "cannot unpack " + entry + ": " + e.getMessage(), e);
    }
  }
}
