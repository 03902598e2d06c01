package io.isle.benchmarks;

import java.nio.file.Path;
import java.util.Properties;

/**
 * Where things are.
 *
 * @param root the checkout
 * @param nativeDirectory driver-host, the runtime, the software accelerator, the C loops
 * @param distribution with the bundles that the platform consists of
 */
public record Settings(Path root, Path nativeDirectory, Path distribution) {
  static Settings of(Properties properties) {
    Path root = Path.of(properties.getProperty("isle.root", ".")).toAbsolutePath().normalize();
    return new Settings(
        root,
        Path.of(
            properties.getProperty(
                "isle.native", root.resolve("native-shims/build/release").toString())),
        Path.of(properties.getProperty("isle.native.dir", "lib/isle/bin"))
            .resolve("../../..")
            .toAbsolutePath()
            .normalize());
  }
}
