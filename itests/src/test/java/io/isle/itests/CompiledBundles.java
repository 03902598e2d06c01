package io.isle.itests;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/** The bundles as they are compiled beside this module: what the tests need is found in them. */
final class CompiledBundles {
  private static final Path BUNDLES = Path.of("..", "bundles");

  /** Levels from there to the classes of a bundle: area, bundle, target, classes. */
  private static final int DEPTH = 4;

  private static JavaClasses classes;
  private static ClassLoader loader;

  private CompiledBundles() {}

  /** Folders of their classes. */
  static List<Path> folders() {
    try (Stream<Path> all = Files.walk(BUNDLES, DEPTH)) {
      return all.filter(path -> path.endsWith(Path.of("target", "classes"))).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Their classes, read once. */
  static synchronized JavaClasses classes() {
    if (classes == null) {
      classes = new ClassFileImporter().importPaths(folders());
    }
    return classes;
  }

  /** One of their classes, loaded, of a bundle too that this module does not depend on. */
  static synchronized Class<?> load(JavaClass type) {
    try {
      if (loader == null) {
        loader = new URLClassLoader(urls(), CompiledBundles.class.getClassLoader());
      }
      return loader.loadClass(type.getName());
    } catch (ClassNotFoundException e) {
      throw new AssertionError(type.getName() + " is compiled and cannot be loaded", e);
    }
  }

  private static URL[] urls() {
    return folders().stream().map(CompiledBundles::url).toArray(URL[]::new);
  }

  private static URL url(Path folder) {
    try {
      return folder.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new AssertionError(e);
    }
  }

  /** The value of a header by the symbolic names of the bundles that have it. */
  static Map<String, String> header(String name) {
    Map<String, String> values = new TreeMap<>();
    for (Path folder : folders()) {
      Attributes attributes = attributes(folder.resolve("META-INF/MANIFEST.MF"));
      if (attributes.getValue(name) != null) {
        values.put(attributes.getValue("Bundle-SymbolicName"), attributes.getValue(name));
      }
    }
    return values;
  }

  private static Attributes attributes(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return new Manifest(in).getMainAttributes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
