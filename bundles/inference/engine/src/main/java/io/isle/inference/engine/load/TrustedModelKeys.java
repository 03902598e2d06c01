package io.isle.inference.engine.load;

import io.isle.lib.model.ModelKeys;
import io.isle.lib.signing.SigningException;
import io.isle.lib.signing.TrustedKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The trusted keys of models, as the folder has them now. Thread-safe. */
public final class TrustedModelKeys {
  private static final int MOST_LISTED = 257;
  private static final System.Logger LOG = System.getLogger(TrustedModelKeys.class.getName());

  private final Path folder;
  private final Clock clock;
  private volatile List<TrustedKey> keys = List.of();
  private Set<String> problems = Set.of();
  private String seen = "none";

  /** Reads the folder. */
  public TrustedModelKeys(Path folder, Clock clock) {
    this.folder = folder;
    this.clock = clock;
    refresh();
  }

  /** Reads the folder if a file has changed. Each problem is logged once, as long as it stays. */
  public synchronized void refresh() {
    String fingerprint = fingerprint();
    if (fingerprint.equals(seen)) {
      return;
    }
    seen = fingerprint;
    ModelKeys now = ModelKeys.read(folder);
    Set<String> found = new TreeSet<>(now.problems());
    found.stream()
        .filter(problem -> !problems.contains(problem))
        .forEach(problem -> LOG.log(System.Logger.Level.WARNING, "{0}: {1}", folder, problem));
    problems = found;
    keys = now.keys();
  }

  private String fingerprint() {
    Set<String> files = new TreeSet<>();
    if (!Files.isDirectory(folder)) {
      return "";
    }
    try (Stream<Path> all = Files.list(folder)) {
      for (Path file : all.limit(MOST_LISTED).toList()) {
        files.add(file.getFileName() + " " + Files.getLastModifiedTime(file) + Files.size(file));
      }
    } catch (IOException | UncheckedIOException e) {
      files.add(e.toString());
    }
    return files.toString();
  }

  /** All keys, also those that do not count today. */
  public List<TrustedKey> keys() {
    return keys;
  }

  /** Time at which keys are judged. */
  public Clock clock() {
    return clock;
  }

  /** Why a key does not count now; empty if it counts. */
  public String objection(TrustedKey key) {
    if (keys.stream().noneMatch(one -> one.id().equals(key.id()))) {
      return "key " + key.label() + " is no longer in " + folder;
    }
    try {
      key.requireValid(LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC));
      return "";
    } catch (SigningException e) {
      return e.getMessage();
    }
  }
}
