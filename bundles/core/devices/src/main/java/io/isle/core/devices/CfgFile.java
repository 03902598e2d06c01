package io.isle.core.devices;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.felix.utils.properties.Properties;

/**
 * A {@code .cfg} file: reads it, and replaces it by one with some keys changed, so that a reader
 * sees the old file or the new one and never a part. Keeps comments and the order of keys.
 */
final class CfgFile {
  private final Path path;

  CfgFile(Path path) {
    this.path = path;
  }

  /** Makes a change of the file and of what depends on it. */
  interface Change {
    void make() throws IOException;
  }

  /**
   * Makes a change; when it fails the file is as it was before.
   *
   * @throws UncheckedIOException when it could not even be put back
   */
  void wholly(Change change) throws IOException {
    byte[] before = bytes();
    Set<PosixFilePermission> permissions = before == null ? null : permissions();
    try {
      change.make();
    } catch (IOException | RuntimeException e) {
      try {
        putBack(before, permissions);
      } catch (IOException again) {
        again.addSuppressed(e);
        throw new UncheckedIOException(
            path + " was changed and cannot be restored: the changed contents will be applied",
            again);
      }
      throw e;
    }
  }

  private void putBack(byte[] before, Set<PosixFilePermission> permissions) throws IOException {
    if (Arrays.equals(before, bytes())) {
      return;
    }
    if (before == null) {
      boolean ignored = delete();
    } else {
      replace(channel -> Channels.newOutputStream(channel).write(before), permissions);
    }
  }

  /** Null if there is no file. */
  private byte[] bytes() throws IOException {
    return exists() ? Files.readAllBytes(path) : null;
  }

  private Set<PosixFilePermission> permissions() throws IOException {
    return Files.getPosixFilePermissions(path);
  }

  boolean exists() {
    return Files.isRegularFile(path);
  }

  Map<String, String> read() throws IOException {
    return values(load());
  }

  /**
   * Writes the file anew.
   *
   * @param changes key to value; a null value removes the key
   * @return what the file says now
   */
  Map<String, String> change(Map<String, String> changes) throws IOException {
    Properties properties = exists() ? load() : new Properties(false);
    changes.forEach(
        (key, value) -> {
          if (value == null) {
            properties.remove(key);
          } else if (!value.equals(properties.get(key))) {
            properties.put(key, value);
          }
        });
    write(properties);
    return values(properties);
  }

  boolean delete() throws IOException {
    boolean there = Files.deleteIfExists(path);
    if (there) {
      syncFolder();
    }
    return there;
  }

  private Properties load() throws IOException {
    Properties properties = new Properties(false);
    try (Reader reader = Files.newBufferedReader(path, StandardCharsets.UTF_8)) {
      properties.load(reader);
    }
    return properties;
  }

  private void write(Properties properties) throws IOException {
    replace(
        channel -> {
          BufferedWriter writer =
              new BufferedWriter(Channels.newWriter(channel, StandardCharsets.UTF_8));
          properties.save(writer);
          writer.flush();
        },
        exists() ? permissions() : null);
  }

  private interface Content {
    void write(FileChannel to) throws IOException;
  }

  /**
   * The name of the file beside does not end in .cfg: FileInstall must not take it up.
   *
   * @param permissions null for those of a new file
   */
  private void replace(Content content, Set<PosixFilePermission> permissions) throws IOException {
    Path beside = Files.createTempFile(path.getParent(), "." + path.getFileName() + ".", ".new");
    try {
      try (FileChannel channel = FileChannel.open(beside, StandardOpenOption.WRITE)) {
        content.write(channel);
        channel.force(true);
      }
      if (permissions != null) {
        Files.setPosixFilePermissions(beside, permissions);
      }
      Files.move(beside, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(beside);
    }
    syncFolder();
  }

  private void syncFolder() throws IOException {
    try (FileChannel folder = FileChannel.open(path.getParent(), StandardOpenOption.READ)) {
      folder.force(true);
    }
  }

  private static Map<String, String> values(Properties properties) {
    return new LinkedHashMap<>(properties);
  }
}
