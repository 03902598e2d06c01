package io.isle.core.drivers.versions;

import io.isle.api.driver.DriverException;
import io.isle.core.drivers.nativecode.NativeDriver;
import io.isle.core.drivers.nativecode.NativeRuntime;
import io.isle.core.drivers.nativecode.control.ProbeResult;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What libraries said of themselves, by their contents: an updated or restarted driver need not
 * start a process to be asked the same again. Thread-safe.
 */
public final class ProbeCache {
  private static final int MOST = 64;

  private final Map<Asked, ProbeResult> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Asked, ProbeResult> eldest) {
          return size() > MOST;
        }
      };

  /** A library's SHA-256, and what it was asked with. */
  private record Asked(String sha256, NativeRuntime runtime) {}

  /**
   * A driver that introduced itself.
   *
   * @param remembered it did so earlier, and was not asked again
   */
  record Introduced(NativeDriver driver, boolean remembered) {}

  /**
   * Asks a library who it is, if that is not known.
   *
   * @param log gets lines that the driver prints
   * @throws DriverException saying why it cannot be used; that is not remembered
   */
  Introduced of(NativeRuntime runtime, Path library, Consumer<String> log) {
    Asked key = new Asked(Admission.sha256(library), runtime);
    ProbeResult said;
    synchronized (known) {
      said = known.get(key);
    }
    if (said != null) {
      return new Introduced(new NativeDriver(runtime, library, said), true);
    }
    return new Introduced(ask(key, library, log), false);
  }

  /** Asks in any case, as {@link #of} otherwise: what devices it finds may have changed. */
  NativeDriver again(NativeRuntime runtime, Path library, Consumer<String> log) {
    return ask(new Asked(Admission.sha256(library), runtime), library, log);
  }

  private NativeDriver ask(Asked key, Path library, Consumer<String> log) {
    ProbeResult said = NativeDriver.probe(key.runtime, library, log);
    synchronized (known) {
      known.put(key, said);
    }
    return new NativeDriver(key.runtime, library, said);
  }
}
