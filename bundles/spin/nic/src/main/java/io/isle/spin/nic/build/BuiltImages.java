package io.isle.spin.nic.build;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Images by what they were built from, in a folder; those that were used last are kept. */
final class BuiltImages {
  private static final String SUFFIX = ".spin";

  private final Path folder;
  private final int most;

  /**
   * @param most number of images
   */
  BuiltImages(Path folder, int most) {
    this.folder = folder;
    this.most = most;
  }

  private Path file(String key) {
    return folder.resolve(key + SUFFIX);
  }

  /** The image that was built from this. */
  Optional<byte[]> find(String key, Instant now) throws IOException {
    Path file = file(key);
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    byte[] image = Files.readAllBytes(file);
    Files.setLastModifiedTime(file, FileTime.from(now));
    return Optional.of(image);
  }

  /** Keeps an image. */
  void add(String key, byte[] image, Instant now) throws IOException {
    Files.createDirectories(folder);
    Path part = Files.createTempFile(folder, "part", "");
    Files.write(part, image);
    Files.setLastModifiedTime(part, FileTime.from(now));
    Files.move(part, file(key), StandardCopyOption.ATOMIC_MOVE);
    List<Path> files;
    try (Stream<Path> all = Files.list(folder)) {
      files = all.sorted(Comparator.comparing(BuiltImages::used).reversed()).toList();
    }
    for (Path old : files.subList(Math.min(most, files.size()), files.size())) {
      Files.deleteIfExists(old);
    }
  }

  private static FileTime used(Path file) {
    try {
      return Files.getLastModifiedTime(file);
    } catch (IOException e) {
      return FileTime.from(Instant.MIN);
    }
  }
}
