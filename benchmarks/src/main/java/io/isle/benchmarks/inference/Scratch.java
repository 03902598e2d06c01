package io.isle.benchmarks.inference;

import io.isle.benchmarks.Folders;
import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.nio.file.Path;

/** A folder that is deleted at the end. */
final class Scratch implements AutoCloseable {
  private final Path folder;

  Scratch(Settings settings) throws IOException {
    folder = settings.newFolder();
  }

  Path folder() {
    return folder;
  }

  @Override
  public void close() throws IOException {
    Folders.delete(folder);
  }
}
