package io.isle.core.drivers;

import io.isle.api.base.IsleException;
import io.isle.api.driver.DriverException;
import io.isle.core.drivers.Introductions.Introduced;
import io.isle.core.drivers.nativecode.NativeDriver;
import io.isle.core.drivers.nativecode.NativeRuntime;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One version of a native driver's bundle, and the one to fall back on. Thread-safe. */
final class NativeVersions implements NativeHandle.Versions {
  private static final Logger DRIVER_OUTPUT = LoggerFactory.getLogger("io.isle.driver");
  private static final Logger LOG = LoggerFactory.getLogger(NativeVersions.class);

  private final NativeRuntime runtime;
  private final Introductions introductions;
  private final VersionFiles files;
  private final String profile;
  private final AtomicReference<Admission> admission;
  // What was said of each library, empty if it was let in. Guarded by this.
  private final Map<Admission.Candidate, String> judged = new HashMap<>();
  // What it said was believed without asking.
  private volatile Optional<NativeDriver> believed = Optional.empty();

  /** Where libraries are, what is known of them, and which may be loaded. */
  record Store(
      GoodLibraries libraries, Introductions introductions, AtomicReference<Admission> admission) {}

  /**
   * @param admission may change at any time
   * @param files of this version; the caller deletes them
   */
  NativeVersions(
      NativeRuntime runtime,
      Introductions introductions,
      AtomicReference<Admission> admission,
      VersionFiles files) {
    this.runtime = runtime;
    this.profile = runtime.sandbox().profile().text();
    this.introductions = introductions;
    this.admission = admission;
    this.files = files;
  }

  /** Before anything of the library runs. */
  private void admit(Path library, String version) {
    Admission.Candidate candidate =
        new Admission.Candidate(
            files.bundle(), version, profile, library, GoodLibraries.signature(library));
    synchronized (this) {
      try {
        admission.get().admit(candidate);
        judged.put(candidate, "");
      } catch (DriverException refused) {
        judged.put(candidate, refused.getMessage());
        throw refused;
      }
    }
  }

  /** Whether the rules for what may be loaded still say the same of each library. */
  synchronized boolean stands() {
    Admission now = admission.get();
    return judged.entrySet().stream()
        .allMatch(entry -> verdict(now, entry.getKey()).equals(entry.getValue()));
  }

  private static String verdict(Admission admission, Admission.Candidate candidate) {
    try {
      admission.admit(candidate);
      return "";
    } catch (DriverException refused) {
      return refused.getMessage();
    }
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
      admit(files.library(), files.version());
      Introduced it = introduced(files.library());
      believed = it.remembered() ? Optional.of(it.driver()) : Optional.empty();
      return handle(it.driver());
    } catch (DriverException refused) {
      DriverHandle older = lastGood().orElseThrow(() -> refused);
      LOG.warn("{} was refused: {}", source(), refused.getMessage());
      String note =
          String.format(
              "%s was refused: %s; %s runs in its place",
              source(), refused.getMessage(), older.source());
      return new NativeHandle(
          ((NativeHandle) older).driver(), older.source(), note, NativeHandle.Versions.NONE);
    }
  }

  private NativeHandle handle(NativeDriver driver) {
    return new NativeHandle(driver, source(), "", this);
  }

  private String source() {
    return files.bundle() + " " + files.version();
  }

  private Introduced introduced(Path at) {
    return introductions.of(runtime, at, this::print);
  }

  private void print(String line) {
    DRIVER_OUTPUT.info("{}: {}", files.bundle(), line);
  }

  @Override
  public void proven() {
    files.proven();
  }

  @Override
  public Optional<DriverHandle> lastGood() {
    try {
      return files.before().map(this::older);
    } catch (IsleException | UncheckedIOException e) {
      LOG.warn("the last good version of {} cannot be used: {}", files.bundle(), e.getMessage());
      return Optional.empty();
    }
  }

  private DriverHandle older(GoodLibraries.Good good) {
    admit(good.library(), good.version());
    return new NativeHandle(
        introduced(good.library()).driver(),
        files.bundle() + " " + good.version(),
        "",
        NativeHandle.Versions.NONE);
  }

  @Override
  public Optional<DriverHandle> changed() {
    Optional<NativeDriver> before = believed;
    Optional<DriverHandle> other =
        before
            .map(driver -> introductions.again(runtime, files.library(), this::print))
            .filter(now -> !now.introduction().equals(before.get().introduction()))
            .map(this::handle);
    // not before it has answered
    believed = Optional.empty();
    return other;
  }
}
