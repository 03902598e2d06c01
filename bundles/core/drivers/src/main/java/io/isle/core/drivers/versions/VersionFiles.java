package io.isle.core.drivers.versions;

import io.isle.core.drivers.versions.GoodLibraries.Good;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The libraries of one version of a driver's bundle: its own, and the one that worked before it,
 * which stays although this version works on some devices: others may run with it. Thread-safe.
 */
public final class VersionFiles {
  private static final Logger LOG = LoggerFactory.getLogger(VersionFiles.class);

  private final GoodLibraries libraries;
  private final String bundle;
  private final String version;
  private final String profile;
  private final Path library;
  private Good before;
  private boolean works;
  private boolean deleted;

  /**
   * @param bundle symbolic name
   * @param profile of its sandbox
   */
  public VersionFiles(GoodLibraries libraries, String bundle, String version, String profile) {
    this.libraries = libraries;
    this.bundle = bundle;
    this.version = version;
    this.profile = profile;
    this.library = libraries.fresh();
  }

  String bundle() {
    return bundle;
  }

  String version() {
    return version;
  }

  String profile() {
    return profile;
  }

  /** Where this version's library is or will be. */
  public Path library() {
    return library;
  }

  /**
   * This version works: it is the one that the next versions fall back on.
   *
   * @param owner says whose it is, which takes a while; asked once
   * @param admitted what may be loaded of what worked before
   */
  synchronized void proven(Supplier<String> owner, Predicate<Good> admitted) {
    if (works || deleted) {
      return;
    }
    works = true;
    try {
      // it is replaced in a moment
      Optional<Good> ignored = before(admitted);
    } catch (UncheckedIOException e) {
      LOG.warn(
          "{} {}: the library of the previous version is lost: {}",
          bundle,
          version,
          e.getMessage());
    }
    libraries.keep(owner.get(), version, profile, library);
  }

  /**
   * What worked before this version and may be loaded; empty if nothing did.
   *
   * @throws UncheckedIOException when it cannot be copied
   */
  synchronized Optional<Good> before(Predicate<Good> admitted) {
    if (before == null && !deleted) {
      before = libraries.before(bundle, library, admitted).orElse(null);
    }
    return Optional.ofNullable(before);
  }

  /** When nothing uses them any more. */
  public synchronized void delete() {
    deleted = true;
    libraries.delete(library);
    if (before != null) {
      libraries.delete(before.library());
      before = null;
    }
  }
}
