package io.isle.core.drivers.versions;

import io.isle.api.base.IsleException;
import io.isle.api.driver.DriverException;
import io.isle.core.drivers.driver.DriverHandle;
import io.isle.core.drivers.driver.Versions;
import io.isle.core.drivers.nativecode.NativeDriver;
import io.isle.core.drivers.nativecode.NativeRuntime;
import io.isle.core.drivers.versions.ProbeCache.Introduced;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One version of a native driver's bundle, and the one to fall back on. Thread-safe. */
public final class NativeVersions implements Versions {
  private static final Logger DRIVER_OUTPUT = LoggerFactory.getLogger("io.isle.driver");
  private static final Logger LOG = LoggerFactory.getLogger(NativeVersions.class);

  private final BiFunction<String, String, NativeRuntime> runtimes;
  private final Store store;
  private final VersionFiles files;
  // What was first said of each library, empty if it was let in. Guarded by this.
  private final Map<Admission.Candidate, String> judged = new HashMap<>();
  // What it said was believed without asking.
  private volatile Optional<NativeDriver> believed = Optional.empty();

  /**
   * Where libraries are, what is known of them, and which may be loaded.
   *
   * @param admission may change at any time
   * @param refused hears of each library that may not be loaded: what brought it, and why
   */
  public record Store(
      GoodLibraries libraries,
      ProbeCache probes,
      AtomicReference<Admission> admission,
      BiConsumer<String, String> refused) {}

  /**
   * @param runtimes by the owner of what the driver builds, and the name of a profile; throws for
   *     one that does not exist
   * @param files of this version; the caller deletes them
   */
  public NativeVersions(
      BiFunction<String, String, NativeRuntime> runtimes, Store store, VersionFiles files) {
    this.runtimes = runtimes;
    this.store = store;
    this.files = files;
  }

  /** Before anything of the library runs; what is said first is what {@link #stands} looks at. */
  private void admit(Admission.Candidate candidate) {
    Optional<DriverException> refusal;
    boolean first;
    // rules that change meanwhile are looked at again when this is written down
    synchronized (this) {
      refusal = refusal(store.admission.get(), candidate);
      first = judged.putIfAbsent(candidate, text(refusal)) == null;
    }
    if (refusal.isPresent()) {
      if (first) {
        store.refused.accept(candidate.source(), text(refusal));
      }
      throw refusal.get();
    }
  }

  private static String text(Optional<DriverException> refusal) {
    return refusal.map(DriverException::getMessage).orElse("");
  }

  private Admission.Candidate candidate(Path library, String version, String profile) {
    return new Admission.Candidate(
        files.bundle(), version, profile, library, GoodLibraries.signature(library));
  }

  /** Whether the rules for what may be loaded still say the same of each library. */
  public synchronized boolean stands() {
    Admission now = store.admission.get();
    return judged.entrySet().stream()
        .allMatch(entry -> text(refusal(now, entry.getKey())).equals(entry.getValue()));
  }

  private static Optional<DriverException> refusal(
      Admission admission, Admission.Candidate candidate) {
    try {
      admission.admit(candidate);
      return Optional.empty();
    } catch (DriverException refused) {
      return Optional.of(refused);
    }
  }

  /**
   * Learns who this version is; one that is refused is replaced by the last good one.
   *
   * @param unpack brings the library to its place
   * @throws DriverException when there is no good one
   */
  public DriverHandle look(Runnable unpack) {
    try {
      unpack.run();
      Admission.Candidate candidate = own();
      admit(candidate);
      Introduced it = introduced(candidate);
      believed = it.remembered() ? Optional.of(it.driver()) : Optional.empty();
      return handle(it.driver());
    } catch (DriverException refused) {
      NativeHandle older = before().orElseThrow(() -> refused);
      LOG.warn("{} was refused: {}", source(), refused.getMessage());
      String note =
          String.format(
              "%s was refused: %s; %s runs instead",
              source(), refused.getMessage(), older.source());
      return older.noting(note);
    }
  }

  private NativeHandle handle(NativeDriver driver) {
    return new NativeHandle(driver, source(), "", () -> check(own()), this);
  }

  /** Again, right before it is loaded: what was said at first may be hours old. */
  private void check(Admission.Candidate candidate) {
    store.admission.get().admit(candidate);
  }

  private Admission.Candidate own() {
    return candidate(files.library(), files.version(), files.profile());
  }

  private String source() {
    return files.bundle() + " " + files.version();
  }

  private Introduced introduced(Admission.Candidate candidate) {
    return store.probes.of(runtime(candidate), candidate.library(), this::print);
  }

  private NativeRuntime runtime(Admission.Candidate candidate) {
    return runtimes.apply(owner(candidate), candidate.profile());
  }

  private String owner(Admission.Candidate candidate) {
    return GoodLibraries.owner(candidate.bundle(), store.admission.get().signer(candidate));
  }

  private void print(String line) {
    DRIVER_OUTPUT.info("{}: {}", files.bundle(), line);
  }

  @Override
  public void proven() {
    files.proven(() -> owner(own()), this::isAdmitted);
  }

  @Override
  public Optional<DriverHandle> lastGood() {
    return before().map(older -> older);
  }

  private Optional<NativeHandle> before() {
    try {
      return files.before(this::isAdmitted).map(this::older);
    } catch (IsleException | UncheckedIOException e) {
      LOG.warn("the last good version of {} cannot be used: {}", files.bundle(), e.getMessage());
      return Optional.empty();
    }
  }

  /** Those that are not are passed over: one that is may be behind them. */
  private boolean isAdmitted(GoodLibraries.Good good) {
    return refusal(store.admission.get(), candidate(good)).isEmpty();
  }

  private Admission.Candidate candidate(GoodLibraries.Good good) {
    return candidate(good.library(), good.version(), good.profile());
  }

  /** With what it was admitted with then, its own profile too. */
  private NativeHandle older(GoodLibraries.Good good) {
    Admission.Candidate candidate = candidate(good);
    admit(candidate);
    return new NativeHandle(
        introduced(candidate).driver(),
        candidate.source(),
        "",
        () -> check(candidate),
        Versions.NONE);
  }

  @Override
  public Optional<DriverHandle> changed() {
    Optional<NativeDriver> before = believed;
    Optional<DriverHandle> other =
        before
            .map(driver -> asked())
            .filter(now -> !now.probeResult().equals(before.get().probeResult()))
            .map(this::handle);
    // not before it has answered
    believed = Optional.empty();
    return other;
  }

  private NativeDriver asked() {
    Admission.Candidate candidate = own();
    check(candidate);
    return store.probes.again(runtime(candidate), candidate.library(), this::print);
  }
}
