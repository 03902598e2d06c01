package io.isle.core.drivers.versions;

import io.isle.api.base.Errno;
import io.isle.api.driver.DriverException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The libraries of native drivers on disk: those in use, and of each driver bundle the last one
 * that worked, over restarts, because the framework discards an updated bundle's old bytes.
 */
public final class GoodLibraries {
  private static final Logger LOG = LoggerFactory.getLogger(GoodLibraries.class);
  private static final String SUFFIX = ".so";

  /** Between version and profile, bundle and key in a name; no version and no bundle has it. */
  private static final char SEPARATOR = '@';

  private static final String SIGNATURE = ".signature";

  /** So many that no two keys have the same, and few enough for a name of a file. */
  private static final int KEY_DIGITS = 32;

  private static final Set<PosixFilePermission> READ_ONLY = Set.of(PosixFilePermission.OWNER_READ);

  private final Path directory;
  private final Path good;

  /** A library that worked, the version of the bundle that brought it, and its profile. */
  record Good(Path library, String version, String profile) {}

  /** Libraries that were in use when the platform was killed are deleted. */
  public GoodLibraries(Path directory) {
    this.directory = directory;
    this.good = directory.resolve("good");
    for (Path left : list(directory)) {
      delete(left);
    }
  }

  /**
   * Unpacks a library under a name of its own; it is written once and read by nobody else.
   *
   * @throws DriverException EIO
   */
  public void unpack(InputStream from, Path to) {
    try {
      Files.createDirectories(directory);
      Files.copy(from, to);
      Files.setPosixFilePermissions(to, READ_ONLY);
    } catch (IOException e) {
      throw new DriverException(Errno.EIO, "cannot unpack to " + to + ": " + e.getMessage(), e);
    }
  }

  /** A fresh path to unpack to. */
  Path fresh() {
    return directory.resolve(UUID.randomUUID() + SUFFIX);
  }

  /** Where the signature of a library is, if it has one. */
  public static Path signature(Path library) {
    String name = library.getFileName().toString();
    return library.resolveSibling(name.substring(0, name.length() - SUFFIX.length()) + SIGNATURE);
  }

  void delete(Path library) {
    try {
      Files.deleteIfExists(library);
      Files.deleteIfExists(signature(library));
    } catch (IOException e) {
      LOG.warn("cannot delete {}: {}", library, e.getMessage());
    }
  }

  /**
   * The name that a bundle's files are kept under. What is signed shares none with what merely has
   * its name: neither its libraries nor what they build.
   *
   * @param signer id of the key
   */
  static String owner(String bundle, Optional<String> signer) {
    return signer.map(key -> bundle + SEPARATOR + key.substring(0, KEY_DIGITS)).orElse(bundle);
  }

  /**
   * The library of this version of a bundle works: it is kept, and of those that its owner kept the
   * newest, with which some devices may still run after a restart.
   */
  synchronized void keep(String owner, String version, String profile, Path library) {
    try {
      Path folder = Files.createDirectories(good.resolve(owner));
      Path kept = folder.resolve(version + SEPARATOR + profile + SUFFIX);
      // first, so that no library is ever beside another one's
      Files.deleteIfExists(signature(kept));
      if (Files.exists(signature(library))) {
        replace(signature(library), signature(kept));
      }
      replace(library, kept);
      List<Path> others =
          newestFirst(list(folder)).stream().filter(other -> !other.equals(kept)).toList();
      Optional<Path> stays = others.stream().filter(Files::isRegularFile).findFirst();
      others.stream().filter(other -> !stays.equals(Optional.of(other))).forEach(this::delete);
    } catch (IOException | UncheckedIOException e) {
      LOG.warn(
          "{} {} works, but its library cannot be saved for a rollback: {}",
          owner,
          version,
          e.getMessage());
    }
  }

  private static void replace(Path from, Path to) throws IOException {
    Path part = to.resolveSibling(to.getFileName() + ".part");
    Files.copy(from, part, StandardCopyOption.REPLACE_EXISTING);
    Files.move(part, to, StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * A copy of the last library of a bundle that worked, whoever signed it, of those that are other
   * ones than {@code library} and may be loaded. The caller owns the copy: what is kept is replaced
   * by the next that works.
   *
   * @param admitted looks at a copy, which nobody else writes
   * @throws UncheckedIOException when it cannot be copied
   */
  synchronized Optional<Good> before(String bundle, Path library, Predicate<Good> admitted) {
    for (Path kept : newestFirst(ofAllOwners(bundle))) {
      if (!same(kept, library)) {
        Good copy = taken(kept);
        if (admitted.test(copy)) {
          return Optional.of(copy);
        }
        delete(copy.library());
      }
    }
    return Optional.empty();
  }

  private List<Path> ofAllOwners(String bundle) {
    if (!Files.isDirectory(good)) {
      return List.of();
    }
    try (Stream<Path> owners = Files.list(good)) {
      return owners
          .filter(owner -> isOf(bundle, owner.getFileName().toString()))
          .flatMap(owner -> list(owner).stream())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isOf(String bundle, String owner) {
    return owner.equals(bundle) || owner.startsWith(bundle + SEPARATOR);
  }

  private static List<Path> newestFirst(List<Path> files) {
    return files.stream().sorted(Comparator.comparing(GoodLibraries::modified).reversed()).toList();
  }

  private static FileTime modified(Path file) {
    try {
      return Files.getLastModifiedTime(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path copy(Path kept) {
    Path copy = fresh();
    try {
      if (Files.exists(signature(kept))) {
        Files.copy(signature(kept), signature(copy));
      }
      return Files.copy(kept, copy);
    } catch (IOException e) {
      delete(copy);
      throw new UncheckedIOException(e);
    }
  }

  private Good taken(Path kept) {
    String name = kept.getFileName().toString();
    int separator = name.indexOf(SEPARATOR);
    return new Good(
        copy(kept),
        name.substring(0, separator),
        name.substring(separator + 1, name.length() - SUFFIX.length()));
  }

  private static boolean same(Path one, Path other) {
    try {
      return Files.exists(other) && Files.mismatch(one, other) < 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> list(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(SUFFIX)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
