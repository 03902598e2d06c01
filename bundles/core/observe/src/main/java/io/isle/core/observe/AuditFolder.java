package io.isle.core.observe;

import io.isle.api.observe.AuditRecord;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files {@code audit-NUMBER.jsonl}, named after their first record, readable by the platform's
 * user alone. One thread appends; any may read. A file is opened for each append, so that one that
 * somebody removed is begun anew.
 */
class AuditFolder {
  private static final Pattern NAME = Pattern.compile("audit-(\\d{1,18})\\.jsonl");
  private static final int LONGEST_LINE = 64 << 10;

  private final Path folder;

  AuditFolder(Path folder) {
    this.folder = folder;
  }

  /** A file and the number that its name says. */
  record Part(Path path, long number) {}

  /** Oldest first; empty where there is no folder. */
  List<Part> parts() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .flatMap(path -> part(path).stream())
          .sorted(Comparator.comparingLong(Part::number))
          .toList();
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Number of the newest record that can be read; 0 if there is none. */
  long lastNumber() throws IOException {
    List<Part> parts = parts();
    for (int i = parts.size() - 1; i >= 0; i--) {
      List<AuditRecord> records = read(parts.get(i));
      if (!records.isEmpty()) {
        return records.getLast().number();
      }
    }
    return 0;
  }

  /**
   * Appends lines to the newest file, or to a new one when that is full or of another day (UTC).
   *
   * @param first the first of the lines
   * @throws IOException when they could not all be written; then none is kept where the file system
   *     allows that
   */
  void append(AuditRecord first, String lines, long maxFileBytes) throws IOException {
    prepare();
    byte[] bytes = lines.getBytes(StandardCharsets.UTF_8);
    List<Part> parts = parts();
    Part newest = parts.isEmpty() ? null : parts.getLast();
    Path path =
        newest == null
                || isFull(newest, bytes.length, maxFileBytes)
                || isOfAnotherDay(newest, first)
            ? folder.resolve(String.format("audit-%012d.jsonl", first.number()))
            : newest.path();
    try (FileChannel channel =
        FileChannel.open(
            path,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.READ),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
      write(channel, bytes);
    }
  }

  /** All records of a file that can be read. */
  static List<AuditRecord> read(Part part) throws IOException {
    List<AuditRecord> records = new ArrayList<>();
    try (BufferedReader lines = Files.newBufferedReader(part.path(), StandardCharsets.ISO_8859_1)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.length() <= LONGEST_LINE) {
          RecordLine.read(line).ifPresent(records::add);
        }
      }
    } catch (NoSuchFileException e) {
      // Its time had come between listing and reading.
    }
    return records;
  }

  private void prepare() throws IOException {
    if (!Files.isDirectory(folder)) {
      if (Files.exists(folder)) {
        throw new NotDirectoryException(folder.toString());
      }
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
  }

  /** Appends. What a crash left of a line stays as it is and gets a line end. */
  private static void write(FileChannel channel, byte[] bytes) throws IOException {
    long before = channel.size();
    ByteBuffer last = ByteBuffer.allocate(1);
    boolean torn = before > 0 && channel.read(last, before - 1) == 1 && last.get(0) != '\n';
    ByteBuffer rest = ByteBuffer.allocate(bytes.length + 1);
    if (torn) {
      rest.put((byte) '\n');
    }
    rest.put(bytes).flip();
    channel.position(before);
    try {
      while (rest.hasRemaining()) {
        channel.write(rest);
      }
    } catch (IOException e) {
      try {
        channel.truncate(before);
      } catch (IOException second) {
        e.addSuppressed(second);
      }
      throw e;
    }
  }

  private static boolean isFull(Part part, int more, long maxFileBytes) throws IOException {
    long size = Files.size(part.path());
    return size > 0 && size + more > maxFileBytes;
  }

  private static boolean isOfAnotherDay(Part part, AuditRecord first) throws IOException {
    Optional<AuditRecord> begin;
    try (BufferedReader lines = Files.newBufferedReader(part.path(), StandardCharsets.ISO_8859_1)) {
      String line = lines.readLine();
      begin = line == null ? Optional.empty() : RecordLine.read(line);
    }
    return begin.isPresent() && day(begin.get()) != day(first);
  }

  private static long day(AuditRecord entry) {
    return Math.floorDiv(entry.epochMs(), 86_400_000L);
  }

  /**
   * Deletes files that were last written before {@code oldest}, and the oldest ones while all
   * together are larger than {@code maxTotalBytes}; never the newest.
   *
   * @return how many went because of their size
   */
  int expire(Instant oldest, long maxTotalBytes) throws IOException {
    List<Part> parts = new ArrayList<>(parts());
    long total = 0;
    for (Part part : parts) {
      total += Files.size(part.path());
    }
    int crowdedOut = 0;
    for (int i = 0; i < parts.size() - 1; i++) {
      Path path = parts.get(i).path();
      long size = Files.size(path);
      boolean old = Files.getLastModifiedTime(path).toInstant().isBefore(oldest);
      if (old || total > maxTotalBytes) {
        Files.delete(path);
        total -= size;
        crowdedOut += old ? 0 : 1;
      }
    }
    return crowdedOut;
  }

  private static Optional<Part> part(Path path) {
    Matcher name = NAME.matcher(path.getFileName().toString());
    return name.matches() && Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
        ? Optional.of(new Part(path, Long.parseLong(name.group(1))))
        : Optional.empty();
  }
}
