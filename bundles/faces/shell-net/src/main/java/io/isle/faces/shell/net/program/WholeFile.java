package io.isle.faces.shell.net.program;

import io.isle.faces.shell.ShellException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** Files that nobody sees half written. */
final class WholeFile {
  private WholeFile() {}

  /**
   * Writes beside the file and renames.
   *
   * @throws ShellException with the file and the reason
   */
  static void write(Path file, byte[] bytes) {
    if (file.getFileName() == null || Files.isDirectory(file)) {
      throw ShellException.failed(file + " cannot be written: the path is a directory");
    }
    Path beside = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID() + ".part");
    try {
      Path written =
          Files.write(beside, bytes, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      Path ignored =
          Files.move(
              written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw ShellException.failed(file + " cannot be written: " + e);
    } finally {
      delete(beside);
    }
  }

  private static void delete(Path part) {
    try {
      boolean ignored = Files.deleteIfExists(part);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
