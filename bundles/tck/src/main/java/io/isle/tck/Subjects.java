package io.isle.tck;

import io.isle.api.driver.Driver;
import io.isle.core.drivers.nativecode.NativeDriver;
import io.isle.core.drivers.nativecode.NativeRuntime;
import io.isle.core.drivers.nativecode.Sandbox;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;

/** Finds what is to be tested in a file. */
final class Subjects {
  private static final int SPIN_US = 50;
  private static final String LIBRARY = "Isle-Driver";
  private static final String PROFILE = "Isle-Driver-Profile";
  private static final String SERVICES = "META-INF/services/io.isle.api.driver.Driver";
  private static final Pattern IMPLEMENTATION =
      Pattern.compile("<implementation[^>]*class=\"([^\"]+)\"");
  private static final String PROVIDES = "interface=\"io.isle.api.driver.Driver\"";

  private Subjects() {}

  /**
   * The subjects in a file, by name: one a tier for a library, alone or in a native driver's
   * bundle, one a driver for a jar of Java drivers.
   *
   * @param nativeDir holds driver-host and libisle_shim.so
   */
  static Map<String, Supplier<Subject>> in(Path file, Path nativeDir) throws IOException {
    NativeRuntime runtime = new NativeRuntime(nativeDir, SPIN_US);
    if (!file.getFileName().toString().endsWith(".jar")) {
      return tiers(runtime, file);
    }
    try (JarFile jar = new JarFile(file.toFile())) {
      Manifest manifest = jar.getManifest();
      String library = manifest == null ? null : manifest.getMainAttributes().getValue(LIBRARY);
      if (library != null) {
        String profile = manifest.getMainAttributes().getValue(PROFILE);
        return tiers(
            profile == null ? runtime : runtime.with(Sandbox.Profile.of(profile.strip())),
            unpacked(jar, library.strip()));
      }
    }
    Map<String, Supplier<Subject>> subjects = new LinkedHashMap<>();
    URL url = file.toUri().toURL();
    ClassLoader loader =
        new URLClassLoader("driver", new URL[] {url}, Subjects.class.getClassLoader());
    for (String name : classes(file)) {
      subjects.put("tier 1 " + name, () -> new JavaSubject(make(loader, name)));
    }
    return subjects;
  }

  private static Map<String, Supplier<Subject>> tiers(NativeRuntime runtime, Path library) {
    NativeDriver driver = NativeDriver.look(runtime, library, line -> {});
    Map<String, Supplier<Subject>> subjects = new LinkedHashMap<>();
    subjects.put("tier 1", () -> new NativeSubject(driver, 1));
    subjects.put("tier 2", () -> new NativeSubject(driver, 2));
    return subjects;
  }

  /** The library of a native driver's bundle, until the JVM ends. */
  private static Path unpacked(JarFile jar, String library) throws IOException {
    ZipEntry entry = jar.getEntry(library);
    if (entry == null || entry.isDirectory()) {
      throw new IOException(LIBRARY + ": the jar has no entry " + library);
    }
    Path file = Files.createTempFile("isle-tck-", ".so");
    file.toFile().deleteOnExit();
    try (InputStream in = jar.getInputStream(entry)) {
      Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
    }
    return file;
  }

  private static Driver make(ClassLoader loader, String name) {
    try {
      return (Driver) loader.loadClass(name).getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException | ClassCastException e) {
      throw new IllegalStateException(name + " cannot be made by its empty constructor", e);
    }
  }

  /** Driver classes that a jar names as a service, in either way. */
  private static List<String> classes(Path file) throws IOException {
    List<String> names = new ArrayList<>();
    try (JarFile jar = new JarFile(file.toFile())) {
      ZipEntry services = jar.getEntry(SERVICES);
      if (services != null) {
        text(jar, services)
            .lines()
            .map(line -> line.replaceAll("#.*", "").strip())
            .filter(line -> !line.isEmpty())
            .forEach(names::add);
      }
      for (ZipEntry entry :
          jar.stream().filter(e -> e.getName().startsWith("OSGI-INF/")).toList()) {
        String text = entry.isDirectory() ? "" : text(jar, entry);
        Matcher matcher = IMPLEMENTATION.matcher(text);
        if (text.contains(PROVIDES) && matcher.find() && !names.contains(matcher.group(1))) {
          names.add(matcher.group(1));
        }
      }
    }
    return names;
  }

  private static String text(JarFile jar, ZipEntry entry) throws IOException {
    return new String(jar.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8);
  }
}
