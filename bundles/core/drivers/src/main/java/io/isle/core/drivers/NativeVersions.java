package io.isle.core.drivers;

import io.isle.api.driver.DriverException;
import io.isle.core.drivers.Introductions.Introduced;
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
  private final Store store;
  private final String bundle;
  private final String version;
  private final Path library;
  private final AtomicBoolean works = new AtomicBoolean();
  // What it said was believed without asking.
  private volatile Optional<NativeDriver> believed = Optional.empty();

  /** Where libraries are, and what is known of them. */
  record Store(GoodLibraries libraries, Introductions introductions) {}

  /**
   * @param bundle symbolic name
   * @param library where this version's library is or will be
   */
  NativeVersions(NativeRuntime runtime, Store store, String bundle, String version, Path library) {
    this.runtime = runtime;
    this.store = store;
    this.bundle = bundle;
    this.version = version;
    this.library = library;
  }

  /**
   * Learns who this version is; one that is refused is replaced by the last good one.
   *
   * @param unpack brings the library to its place
   * @throws DriverException when there is no good one
   */
  DriverHandle look(Runnable unpack) {
    try {
      unpack.run();
      Introduced it = introduced(library);
      believed = it.remembered() ? Optional.of(it.driver()) : Optional.empty();
      return handle(it.driver());
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

  private NativeHandle handle(NativeDriver driver) {
    return new NativeHandle(driver, bundle + " " + version, "", this);
  }

  private Introduced introduced(Path at) {
    return store.introductions.of(runtime, at, this::print);
  }

  private void print(String line) {
    DRIVER_OUTPUT.info("{}: {}", bundle, line);
  }

  @Override
  public void proven() {
    if (works.compareAndSet(false, true)) {
      store.libraries.keep(bundle, version, library);
    }
  }

  @Override
  public Optional<DriverHandle> lastGood() {
    if (works.get()) {
      return Optional.empty();
    }
    Optional<GoodLibraries.Good> kept = store.libraries.before(bundle, library);
    try {
      return kept.map(
          good ->
              new NativeHandle(
                  introduced(good.library()).driver(),
                  bundle + " " + good.version(),
                  "",
                  NativeHandle.Versions.NONE));
    } catch (DriverException e) {
      LOG.warn("the last good version of {} is refused now: {}", bundle, e.getMessage());
      return Optional.empty();
    }
  }

  @Override
  public Optional<DriverHandle> changed() {
    Optional<NativeDriver> before = believed;
    believed = Optional.empty();
    return before
        .map(driver -> store.introductions.again(runtime, library, this::print))
        .filter(now -> !now.introduction().equals(before.get().introduction()))
        .map(this::handle);
  }
}
