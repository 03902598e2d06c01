package io.isle.core.drivers;

import io.isle.api.driver.DriverException;
import io.isle.core.drivers.nativecode.NativeDriver;
import io.isle.core.drivers.nativecode.NativeRuntime;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One version of a native driver's bundle, and the one to fall back on. Thread-safe. */
final class NativeVersions implements NativeHandle.Versions {
  private static final Logger DRIVER_OUTPUT = LoggerFactory.getLogger("io.isle.driver");
  private static final Logger LOG = LoggerFactory.getLogger(NativeVersions.class);

  private final NativeRuntime runtime;
  private final GoodLibraries libraries;
  private final String bundle;
  private final String version;
  private final Path library;
  private final AtomicBoolean works = new AtomicBoolean();

  /**
   * @param bundle symbolic name
   * @param library where this version's library is or will be
   */
  NativeVersions(
      NativeRuntime runtime, GoodLibraries libraries, String bundle, String version, Path library) {
    this.runtime = runtime;
    this.libraries = libraries;
    this.bundle = bundle;
    this.version = version;
    this.library = library;
  }

  /**
   * Asks this version who it is; one that is refused is replaced by the last good one.
   *
   * @param unpack brings the library to its place
   * @throws DriverException when there is no good one
   */
  DriverHandle look(Runnable unpack) {
    try {
      unpack.run();
      return new NativeHandle(look(library), bundle + " " + version, "", this);
    } catch (DriverException refused) {
      DriverHandle older = lastGood().orElseThrow(() -> refused);
      LOG.warn("{} {} was refused: {}", bundle, version, refused.getMessage());
      String note =
          String.format(
              "%s %s was refused: %s; %s runs in its place",
              bundle, version, refused.getMessage(), older.source());
      return new NativeHandle(
          ((NativeHandle) older).driver(), older.source(), note, NativeHandle.Versions.NONE);
    }
  }

  private NativeDriver look(Path at) {
    return NativeDriver.look(runtime, at, line -> DRIVER_OUTPUT.info("{}: {}", bundle, line));
  }

  @Override
  public void proven() {
    if (works.compareAndSet(false, true)) {
      libraries.keep(bundle, version, library);
    }
  }

  @Override
  public Optional<DriverHandle> lastGood() {
    if (works.get()) {
      return Optional.empty();
    }
    Optional<GoodLibraries.Good> kept = libraries.before(bundle, library);
    try {
      return kept.map(
          good ->
              new NativeHandle(
                  look(good.library()),
                  bundle + " " + good.version(),
                  "",
                  NativeHandle.Versions.NONE));
    } catch (DriverException e) {
      LOG.warn("the last good version of {} is refused now: {}", bundle, e.getMessage());
      return Optional.empty();
    }
  }
}
