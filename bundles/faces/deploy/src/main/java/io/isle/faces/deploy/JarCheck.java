package io.isle.faces.deploy;

import java.io.File;
import java.io.IOException;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;

/** Says what a file lacks to be a bundle, or a driver. Pure functions; files are hostile. */
final class JarCheck {
  private JarCheck() {}

  /** What is missing; empty if nothing is, or the file is of a kind that others know. */
  static Optional<String> missing(File file) {
    String name = file.getName();
    if (name.endsWith(".so")) {
      return Optional.of(
          "a native library cannot be installed alone: put the library into a jar whose manifest"
              + " has the headers Bundle-SymbolicName, Bundle-Version and Isle-Driver");
    }
    if (!name.endsWith(".jar") || file.isDirectory()) {
      return Optional.empty();
    }
    try (JarFile jar = new JarFile(file)) {
      return missing(jar);
    } catch (IOException | RuntimeException e) {
      return Optional.of("the file cannot be read as a jar: " + e.getMessage());
    }
  }

  private static Optional<String> missing(JarFile jar) throws IOException {
    Manifest manifest = jar.getManifest();
    if (manifest == null) {
      return Optional.of("the jar has no META-INF/MANIFEST.MF, which every bundle needs");
    }
    Attributes headers = manifest.getMainAttributes();
    for (String header : new String[] {"Bundle-SymbolicName", "Bundle-Version"}) {
      if (headers.getValue(header) == null) {
        return Optional.of(
            "the jar's manifest lacks the header " + header + ", which every bundle needs");
      }
    }
    if (headers.getValue("Isle-Driver") != null || headers.getValue("Bundle-NativeCode") != null) {
      return Optional.empty();
    }
    boolean code = jar.stream().anyMatch(entry -> entry.getName().endsWith(".class"));
    return code ? Optional.empty() : library(jar).map(JarCheck::noDriver);
  }

  private static Optional<String> library(JarFile jar) {
    return jar.stream().map(ZipEntry::getName).filter(name -> name.endsWith(".so")).findFirst();
  }

  private static String noDriver(String library) {
    return "the jar's manifest lacks the header Isle-Driver, which names the library to load: "
        + library;
  }
}
