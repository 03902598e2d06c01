package io.isle.apps.jobs.run;

import io.isle.api.base.Errno;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.platform.Failures;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/** The input of a step: a regular file, a FIFO or a terminal. Opened and read by one thread. */
class Input implements PieceInput {
  private final Path path;
  private final BasicFileAttributes before;
  private FileChannel channel;
  private long read;
  private boolean mapped;

  Input(Path path) {
    this.path = path;
    this.before = attributes(path);
  }

  /**
   * Checks that there is something to read, and remembers its size and time; opens nothing.
   *
   * @throws JobException ENOENT, EACCES
   */
  static Input of(Path path) {
    return new Input(path);
  }

  private static BasicFileAttributes attributes(Path path) {
    try {
      BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
      if (attributes.isDirectory()) {
        throw JobException.failed(
            Errno.EINVAL, "input " + path + " is a directory; give a file", null);
      }
      if (!Files.isReadable(path)) {
        throw JobException.failed(
            Errno.EACCES, "input " + path + " cannot be read: permission denied", null);
      }
      return attributes;
    } catch (IOException e) {
      throw JobException.failed(Errno.ENOENT, "input " + path + ": " + Failures.reason(e), e);
    }
  }

  final Path path() {
    return path;
  }

  /** Bytes, or -1 when only the end will tell (a FIFO, or a file of the kernel's). */
  final long size() {
    return before.isRegularFile() && before.size() > 0 ? before.size() : -1;
  }

  /** Whether its size could be known: a FIFO's cannot. */
  final boolean isRegular() {
    return before.isRegularFile();
  }

  @Override
  public void open() throws IOException, InterruptedException {
    if (channel == null) {
      channel = Opening.open(path, StandardOpenOption.READ);
    }
  }

  /** Goes back to the first byte of a regular file, opened again if it was closed. */
  void restart() throws IOException, InterruptedException {
    if (channel == null || !channel.isOpen()) {
      channel = Opening.open(path, StandardOpenOption.READ);
    }
    skip(0);
  }

  /** Goes to a byte of a regular file. */
  final void skip(long at) throws IOException {
    channel.position(at);
    read = at;
  }

  @Override
  public String name() {
    return "input " + path;
  }

  @Override
  public int fill(ByteBuffer buffer) throws IOException {
    int start = buffer.position();
    while (buffer.hasRemaining()) {
      if (channel.read(buffer) < 0) {
        checkUnchanged(buffer.position() - start);
        break;
      }
      if (size() >= 0 && read + buffer.position() - start > size()) {
        throw changed();
      }
    }
    read += buffer.position() - start;
    return buffer.position() - start;
  }

  @Override
  public Optional<FileWindows> windows() {
    return windows(0);
  }

  /**
   * @param offset of the first byte that counts
   */
  Optional<FileWindows> windows(long offset) {
    if (size() <= offset || !canMap(size() - 1)) {
      return Optional.empty();
    }
    mapped = true;
    read = size();
    return Optional.of(new FileWindows(name(), channel, offset, size() - offset));
  }

  /** Not every file system can: then it is read, and so is a file that is shorter by now. */
  private boolean canMap(long at) {
    try (Arena arena = Arena.ofConfined()) {
      return channel.map(FileChannel.MapMode.READ_ONLY, at, 1, arena).byteSize() == 1;
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  @Override
  public void checkUnchanged() throws IOException {
    if (mapped) {
      checkUnchanged(0);
    }
  }

  private void checkUnchanged(int more) throws IOException {
    if (!before.isRegularFile()) {
      return;
    }
    BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
    boolean otherLength = size() >= 0 && read + more != size();
    if (otherLength
        || now.size() != before.size()
        || !now.lastModifiedTime().equals(before.lastModifiedTime())) {
      throw changed();
    }
  }

  private JobException changed() {
    return JobException.failed(
        Errno.EIO,
        "input "
            + path
            + " changed while it was read; run the job again when no program writes to"
            + " the file",
        null);
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }
}
