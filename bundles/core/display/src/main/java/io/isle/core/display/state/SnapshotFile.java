package io.isle.core.display.state;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** The file between two lives of the bundle. It is read once: what follows makes it stale. */
public final class SnapshotFile {
  private final Path file;

  public SnapshotFile(Path file) {
    this.file = file;
  }

  /**
   * Reads and deletes it.
   *
   * @param capacity ids of framebuffers that there are
   * @return empty when there is none
   * @throws IOException saying what cannot be in it, or that it cannot be read
   */
  public Optional<Snapshot> take(int capacity) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      return Optional.of(new SnapshotReader(in, capacity).read());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } finally {
      boolean ignored = Files.deleteIfExists(file);
    }
  }

  /** Writes it; what cannot be written whole is not left. */
  public void put(Snapshot snapshot) throws IOException {
    boolean whole = false;
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
      new SnapshotWriter(out).write(snapshot);
      whole = true;
    } finally {
      if (!whole) {
        boolean ignored = Files.deleteIfExists(file);
      }
    }
  }
}
