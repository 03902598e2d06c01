package io.isle.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/**
 * Where things are, and how much is measured.
 *
 * @param root the checkout
 * @param state the launcher's folder for data
 * @param nativeDirectory driver-host, the runtime, the software accelerator, the C loops
 * @param distribution with the bundles that the platform consists of
 * @param smoke whether each case is measured once, at its smallest, to see that the case runs
 * @param instances of the run
 */
public record Settings(
    Path root,
    Path state,
    Path nativeDirectory,
    Path distribution,
    boolean smoke,
    Instances instances) {
  static Settings of(Properties properties, boolean smoke, Instances instances) {
    Path root = Path.of(properties.getProperty("isle.root", ".")).toAbsolutePath().normalize();
    return new Settings(
        root,
        Path.of(properties.getProperty("isle.state", root.resolve(".isle").toString())),
        Path.of(
            properties.getProperty(
                "isle.native", root.resolve("native-shims/build/release").toString())),
        Path.of(properties.getProperty("isle.native.dir", "lib/isle/bin"))
            .resolve("../../..")
            .toAbsolutePath()
            .normalize(),
        smoke,
        instances);
  }

  /** How large or how often: the usual value, or the smallest in a smoke run. */
  public <T> T size(T usual, T smallest) {
    return smoke ? smallest : usual;
  }

  /** A new folder for files that are too large for memory. */
  public Path newFolder() throws IOException {
    return Files.createTempDirectory(Files.createDirectories(state), "bench");
  }
}
