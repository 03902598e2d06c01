package io.isle.itests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** A bundle that brings handlers and no Java, in the folder of the running platform for bundles. */
final class HandlerBundle implements AutoCloseable {
  private static final String ENTRY = "lib/handlers.spin";

  private final String name;
  private final String attributes;
  private final Path part;
  private final Path deployed;

  /**
   * @param name of the handlers
   * @param rules empty for none
   */
  HandlerBundle(String name, String rules) {
    this.name = name;
    attributes = "; name=" + name + (rules.isEmpty() ? "" : "; rules=\"" + rules + "\"");
    part = Platform.folder().resolve(name + ".part");
    deployed = Platform.folder().resolve("deploy").resolve(name + ".jar");
  }

  /** Installs the bundle, or updates it to this version. */
  void deploy(String version, Path image) throws IOException {
    Manifest manifest = new Manifest();
    Attributes main = manifest.getMainAttributes();
    main.putValue("Manifest-Version", "1.0");
    main.putValue("Bundle-ManifestVersion", "2");
    main.putValue("Bundle-SymbolicName", "io.isle.itests." + name);
    main.putValue("Bundle-Version", version);
    main.putValue("Isle-Handlers", ENTRY + attributes);
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(part), manifest)) {
      out.putNextEntry(new JarEntry(ENTRY));
      out.write(Files.readAllBytes(image));
    }
    Files.move(part, deployed, StandardCopyOption.ATOMIC_MOVE);
  }

  /** The bundle goes soon. */
  @Override
  public void close() throws IOException {
    Files.deleteIfExists(deployed);
  }
}
