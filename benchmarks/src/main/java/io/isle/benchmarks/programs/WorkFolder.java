package io.isle.benchmarks.programs;

import io.isle.benchmarks.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/** The folder with the files of {@link JobCases}. */
final class WorkFolder {
  private static final Path MEMORY = Path.of("/dev/shm");

  /** Of the memory's files, so that programs keep enough. */
  private static final int SHARE = 4;

  private static final int BLOCK = 1 << 20;
  private static final int DISTINCT_KEYS = 1 << 16;

  private WorkFolder() {}

  /**
   * Makes it: in memory, where no disk is measured, else beside the launcher's data.
   *
   * @param bytes that it must have room for
   */
  static Path make(Settings settings, long bytes) throws IOException {
    if (Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() / SHARE >= bytes) {
      return Files.createTempDirectory(MEMORY, "isle-bench");
    }
    Files.createDirectories(settings.state());
    long free = Files.getFileStore(settings.state()).getUsableSpace();
    if (free < bytes) {
      throw new IOException(
          "the benchmark needs "
              + bytes
              + " bytes in "
              + settings.state()
              + ", of which "
              + free
              + " are free");
    }
    return settings.newFolder();
  }

  /** The kernels of all cases; the stencil is that of the example. */
  static void copyKernels(Settings settings, Path folder) throws IOException {
    Files.copy(
        settings.root().resolve("examples/stencil/stencil.cl"), folder.resolve("stencil.cl"));
    for (String name : List.of("until.cl", "sort.cl", "files.cl")) {
      try (InputStream kernels = WorkFolder.class.getResourceAsStream(name)) {
        Files.copy(kernels, folder.resolve(name));
      }
    }
  }

  /** Writes an input, always the same. */
  static void write(Path file, JobCase.Input input, long bytes) throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    ByteBuffer block = ByteBuffer.allocate(BLOCK).order(ByteOrder.LITTLE_ENDIAN);
    try (OutputStream out = Files.newOutputStream(file)) {
      for (long left = bytes; left > 0; left -= block.position()) {
        block.clear().limit((int) Math.min(BLOCK, left));
        while (block.hasRemaining()) {
          switch (input) {
            case FLOATS -> block.putFloat((float) random.nextDouble(100));
            case PAIRS -> block.putInt(random.nextInt(DISTINCT_KEYS));
          }
        }
        out.write(block.array(), 0, block.position());
      }
    }
  }
}
