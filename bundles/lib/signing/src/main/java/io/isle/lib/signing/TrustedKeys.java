package io.isle.lib.signing;

import io.isle.api.base.Errno;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The folder of keys that bundles may be signed with, read anew each time. Immutable. */
public record TrustedKeys(Path folder) {
  private static final String SUFFIX = ".pub";

  /** So many that a mistake, such as a link to a large folder, is told and not followed. */
  private static final int MOST = 256;

  /**
   * The key of this id that counts on that day; of several files with it, any does.
   *
   * @throws SigningException EACCES when there is none, naming files that could not be read, or
   *     saying from when to when it counts
   */
  public TrustedKey of(String id, String label, LocalDate today) {
    List<String> unreadable = new ArrayList<>();
    SigningException invalid = null;
    for (Path file : files()) {
      Optional<TrustedKey> key = read(file, unreadable).filter(found -> found.id().equals(id));
      if (key.isPresent()) {
        try {
          key.get().requireValid(today);
          return key.get();
        } catch (SigningException e) {
          invalid = e;
        }
      }
    }
    if (invalid != null) {
      throw invalid;
    }
    String also = unreadable.isEmpty() ? "" : "; " + String.join("; ", unreadable);
    throw new SigningException(
        Errno.EACCES,
        "key "
            + label
            + ": the key is in no file of "
            + folder
            + "; copy the key's .pub file there to trust"
            + " the key"
            + also);
  }

  private static Optional<TrustedKey> read(Path file, List<String> unreadable) {
    try (InputStream in = Files.newInputStream(file)) {
      return Optional.of(TrustedKey.parse(in.readNBytes(TrustedKey.MAX_BYTES + 1)));
    } catch (IOException e) {
      unreadable.add(file.getFileName() + " cannot be read: " + e.getMessage());
    } catch (SigningException e) {
      unreadable.add(file.getFileName() + " is not a key file: " + e.getMessage());
    }
    return Optional.empty();
  }

  private List<Path> files() {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> found =
          files
              .filter(file -> file.toString().endsWith(SUFFIX) && Files.isRegularFile(file))
              .limit(MOST + 1)
              .sorted()
              .toList();
      if (found.size() > MOST) {
        throw new SigningException(
            Errno.EACCES, folder + " has more than " + MOST + " files *" + SUFFIX);
      }
      return found;
    } catch (IOException | UncheckedIOException e) {
      throw new SigningException(Errno.EACCES, folder + " cannot be read: " + e.getMessage(), e);
    }
  }

  /** Changes when a file comes, goes or is written. */
  public String fingerprint() {
    TreeMap<String, String> seen = new TreeMap<>();
    try {
      for (Path file : files()) {
        String state = Files.getLastModifiedTime(file) + " " + Files.size(file);
        seen.put(file.getFileName().toString(), state);
      }
    } catch (IOException | SigningException e) {
      seen.put("", e.toString());
    }
    return seen.toString();
  }
}
