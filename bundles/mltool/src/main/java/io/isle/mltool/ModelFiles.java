package io.isle.mltool;

import io.isle.lib.model.ModelFile;
import io.isle.lib.model.ProofSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Files of models on disk. */
final class ModelFiles {
  /** Most bytes of parameters that the tool takes: platforms may permit more than by default. */
  static final int MAX_PARAM_BYTES = 64 * ProofSettings.MAX_PARAM_BYTES;

  private ModelFiles() {}

  /** Reads a file, of one that is too large as much as shows it. */
  static byte[] read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(ModelFile.HEADER_BYTES + MAX_PARAM_BYTES + 1);
    }
  }

  /** Writes a file beside its place, then moves it there: readers see the old or the new one. */
  static void write(Path file, byte[] bytes) throws IOException {
    Path beside = file.resolveSibling(file.getFileName() + ".new");
    try {
      Files.write(beside, bytes);
      Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(beside);
    }
  }
}
