package io.isle.lib.jvm;

import io.isle.api.base.Errno;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import org.osgi.framework.Bundle;
import org.osgi.framework.Constants;

/**
 * Bundles as jars in a folder, since the framework moves and deletes its own. A version of a bundle
 * is copied once. The copy of an earlier version is deleted with its last user; copies of before
 * are deleted at the begin, when no process runs. Thread-safe.
 */
public final class BundleCopies {
  private static final String MANIFEST = "META-INF/MANIFEST.MF";

  private static final System.Logger LOG = System.getLogger(BundleCopies.class.getName());

  private final Path folder;
  private final Refusal refusal;

  /** The copy of the last version, by the id of the bundle. */
  private final Map<Long, Path> newest = new HashMap<>();

  private final Map<Path, Integer> users = new HashMap<>();

  /**
   * @param folder whose files are deleted
   * @param refusal makes the exceptions
   */
  public BundleCopies(Path folder, Refusal refusal) {
    this.folder = folder;
    this.refusal = refusal;
    try {
      Path ignored = Files.createDirectories(folder);
      List<Path> old;
      try (Stream<Path> files = Files.list(folder)) {
        old = files.toList();
      }
      for (Path file : old) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw refused(folder.toString(), e);
    }
  }

  /**
   * The copy of a bundle as it is now, with one user more.
   *
   * @throws io.isle.api.base.IsleException ENOTSUP for a bundle with jars inside; EIO
   */
  public synchronized Path of(Bundle bundle) {
    String inside = bundle.getHeaders("").get(Constants.BUNDLE_CLASSPATH);
    if (inside != null && !inside.strip().equals(".")) {
      throw refusal.of(
          Errno.ENOTSUP,
          "bundle "
              + bundle.getSymbolicName()
              + " has "
              + Constants.BUNDLE_CLASSPATH
              + " "
              + inside
              + ", which a process of its own does not know",
          null);
    }
    String version = bundle.getBundleId() + "-" + bundle.getLastModified();
    Path copy = folder.resolve(bundle.getSymbolicName() + "-" + version + ".jar").toAbsolutePath();
    if (!Files.exists(copy)) {
      try {
        write(bundle, copy);
      } catch (IOException | IllegalStateException e) {
        throw refused(bundle.getSymbolicName(), e);
      }
    }
    int ignored = users.merge(copy, 1, Integer::sum);
    Path before = newest.put(bundle.getBundleId(), copy);
    if (before != null) {
      deleteUnused(before);
    }
    return copy;
  }

  /** A copy has one user less. */
  public synchronized void release(Path copy) {
    Integer left = users.computeIfPresent(copy, (path, count) -> count > 1 ? count - 1 : null);
    if (left == null) {
      deleteUnused(copy);
    }
  }

  private void deleteUnused(Path copy) {
    if (users.containsKey(copy) || newest.containsValue(copy)) {
      return;
    }
    try {
      boolean ignored = Files.deleteIfExists(copy);
    } catch (IOException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "an old copy of a bundle cannot be deleted, and takes room until the next start: {0}",
          e.toString());
    }
  }

  private static void write(Bundle bundle, Path copy) throws IOException {
    Path beside = copy.resolveSibling(copy.getFileName() + ".new");
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(beside))) {
      jar.setLevel(Deflater.BEST_SPEED);
      for (String name : names(bundle)) {
        URL entry = bundle.getEntry(name);
        if (entry == null) {
          throw new IOException("the bundle has no " + name + " any more");
        }
        jar.putNextEntry(new JarEntry(name));
        try (InputStream content = entry.openStream()) {
          long ignored = content.transferTo(jar);
        }
        jar.closeEntry();
      }
    }
    Path ignored = Files.move(beside, copy, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Names of all files of a bundle, that of the manifest first. */
  private static List<String> names(Bundle bundle) throws IOException {
    List<String> names = new ArrayList<>(List.of(MANIFEST));
    Enumeration<URL> found = bundle.findEntries("/", "*", true);
    if (found == null) {
      throw new IOException("the bundle has no files");
    }
    for (URL entry : Collections.list(found)) {
      String name = entry.getPath().substring(1);
      if (!name.endsWith("/") && !names.contains(name)) {
        names.add(name);
      }
    }
    return names;
  }

  private RuntimeException refused(String what, Exception cause) {
    return refusal.of(
        Errno.EIO,
        "the files of a process cannot be copied: " + what + ": " + cause.getMessage(),
        cause);
  }
}
