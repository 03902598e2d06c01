package io.isle.lib.model;

import io.isle.api.base.Errno;
import io.isle.lib.model.verify.SignatureCheck;
import io.isle.lib.signing.SigningException;
import io.isle.lib.signing.TrustedKey;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Trusted keys of models, from the files {@code *.pub} of a folder. Immutable.
 *
 * @param keys at most {@link #MOST}, in the order of the names of their files
 * @param problems a sentence for each file that is not used, and for a folder that cannot be read
 */
public record ModelKeys(List<TrustedKey> keys, List<String> problems) {
  /** Most files. */
  public static final int MOST = 8;

  private static final String SUFFIX = ".pub";

  /** So many that a mistake, such as a link to a large folder, is told and not followed. */
  private static final int MOST_LISTED = 256;

  /** Copies the lists. */
  public ModelKeys {
    keys = List.copyOf(keys);
    problems = List.copyOf(problems);
  }

  /**
   * Reads a folder. A missing folder has no keys. Never throws: problems are part of the answer.
   */
  public static ModelKeys read(Path folder) {
    List<TrustedKey> keys = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    List<Path> files = files(folder, problems);
    for (int i = 0; i < files.size(); i++) {
      Path name = files.get(i).getFileName();
      if (i >= MOST) {
        problems.add(name + " is not used: at most " + MOST + " files *" + SUFFIX + " are read");
        continue;
      }
      try {
        keys.add(key(files.get(i)));
      } catch (IOException e) {
        problems.add(name + " cannot be read: " + e.getMessage());
      } catch (SigningException e) {
        problems.add(name + " is not a key file: " + e.getMessage());
      }
    }
    return new ModelKeys(keys, problems);
  }

  /**
   * Reads one file.
   *
   * @throws IOException it cannot be read
   * @throws SigningException EINVAL naming the line or field that is wrong
   */
  public static TrustedKey key(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return parse(in.readNBytes(TrustedKey.MAX_BYTES + 1));
    }
  }

  /**
   * Reads the contents of a file.
   *
   * @throws SigningException EINVAL naming the line or field that is wrong
   */
  public static TrustedKey parse(byte[] file) {
    TrustedKey key = TrustedKey.parse(file);
    if (!SignatureCheck.strong(key.rawEd25519())) {
      throw new SigningException(
          Errno.EINVAL, "ed25519: the value is not a canonical point of the base point's group");
    }
    return key;
  }

  private static List<Path> files(Path folder, List<String> problems) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(folder)) {
      List<Path> files =
          all.filter(file -> file.toString().endsWith(SUFFIX) && Files.isRegularFile(file))
              .limit(MOST_LISTED + 1L)
              .sorted()
              .toList();
      if (files.size() <= MOST_LISTED) {
        return files;
      }
      problems.add(folder + " has more than " + MOST_LISTED + " files *" + SUFFIX);
    } catch (IOException | UncheckedIOException e) {
      problems.add(folder + " cannot be read: " + e.getMessage());
    }
    return List.of();
  }
}
