package io.isle.tck;

import io.isle.api.driver.Driver;
import io.isle.core.drivers.nativecode.NativeDriver;
import io.isle.core.drivers.nativecode.NativeRuntime;
import io.isle.core.drivers.nativecode.host.Sandbox;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;

/** Finds what is to be tested in a file. */
final class Subjects {
  private static final int SPIN_US = 50;
  private static final String SERVICES = "META-INF/services/io.isle.api.driver.Driver";
  private static final Pattern IMPLEMENTATION =
      Pattern.compile("<implementation[^>]*class=\"([^\"]+)\"");
  private static final String PROVIDES = "interface=\"io.isle.api.driver.Driver\"";

  private Subjects() {}

  /**
   * The subjects in a file, by name: one a tier for a library or a bundle that brings one, one a
   * driver for another jar.
   *
   * @param nativeDir holds driver-host and libisle_shim.so
   */
  static Map<String, Supplier<Subject>> in(Path file, Path nativeDir) throws IOException {
    Map<String, Supplier<Subject>> subjects = new LinkedHashMap<>();
    NativeRuntime runtime = new NativeRuntime(nativeDir, SPIN_US, Sandbox.DEFAULT);
    Optional<DriverBundle> bundle = DriverBundle.of(file);
    if (bundle.isPresent()) {
      addNative(subjects, bundle.get().runtime(runtime), bundle.get().library());
    } else if (file.getFileName().toString().endsWith(".jar")) {
      URL url = file.toUri().toURL();
      ClassLoader loader =
          new URLClassLoader("driver", new URL[] {url}, Subjects.class.getClassLoader());
      for (String name : classes(file)) {
        subjects.put("tier 1 " + name, () -> new JavaSubject(make(loader, name)));
      }
    } else {
      addNative(subjects, runtime, file);
    }
    return subjects;
  }

  private static void addNative(
      Map<String, Supplier<Subject>> subjects, NativeRuntime runtime, Path library) {
    NativeDriver driver = NativeDriver.look(runtime, library, line -> {});
    subjects.put("tier 1", () -> new NativeSubject(driver, 1));
    subjects.put("tier 2", () -> new NativeSubject(driver, 2));
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
