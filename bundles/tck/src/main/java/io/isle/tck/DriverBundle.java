package io.isle.tck;

import io.isle.core.drivers.nativecode.NativeRuntime;
import io.isle.core.drivers.nativecode.host.Sandbox;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * A bundle that brings a native driver, unpacked until the JVM ends.
 *
 * @param profile the sandbox that it asks for, or null
 * @param folder holds the library, and what the driver writes
 */
record DriverBundle(Path library, String profile, Path folder) {
  /**
   * Unpacks the library; empty for a file that is no such bundle.
   *
   * @throws IOException also when the header names an entry that is not there
   */
  static Optional<DriverBundle> of(Path file) throws IOException {
    if (!file.getFileName().toString().endsWith(".jar")) {
      return Optional.empty();
    }
    try (JarFile jar = new JarFile(file.toFile())) {
      Attributes headers =
          jar.getManifest() == null ? new Attributes() : jar.getManifest().getMainAttributes();
      String entry = headers.getValue("Isle-Driver");
      if (entry == null) {
        return Optional.empty();
      }
      ZipEntry found = jar.getEntry(entry.strip());
      if (found == null) {
        throw new IOException("Isle-Driver: the bundle has no entry " + entry);
      }
      Path folder = Files.createTempDirectory("isle-tck");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
      Path library = folder.resolve("driver.so");
      try (InputStream in = jar.getInputStream(found)) {
        Files.copy(in, library);
      }
      return Optional.of(
          new DriverBundle(library, headers.getValue("Isle-Driver-Profile"), folder));
    }
  }

  /** The runtime in which it gets what it asks for. */
  NativeRuntime runtime(NativeRuntime plain) {
    return profile == null
        ? plain
        : plain.with(Sandbox.Profile.of(profile.strip()), folder.resolve("cache"));
  }

  private static void delete(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      all.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
    } catch (IOException e) {
      System.err.println("isle: cannot delete " + folder + ": " + e.getMessage());
    }
  }
}
