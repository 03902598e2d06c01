package io.isle.inference.engine.load;

import io.isle.api.base.Errno;
import io.isle.api.inference.InferenceException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads hostile files as a whole. Pure functions. */
public final class FileBytes {
  private FileBytes() {}

  /**
   * One copy of a file.
   *
   * @param most bytes
   * @throws InferenceException ENOENT, EIO; EMSGSIZE for a longer file
   */
  public static byte[] read(Path file, int most) {
    if (!Files.isRegularFile(file)) {
      throw new InferenceException(Errno.ENOENT, file + ": no such file");
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(most + 1);
      if (bytes.length > most) {
        throw new InferenceException(
            Errno.EMSGSIZE, file + " has more than " + most + " bytes, the most of a model");
      }
      return bytes;
    } catch (IOException e) {
      throw new InferenceException(Errno.EIO, file + " cannot be read: " + e.getMessage(), e);
    }
  }
}
