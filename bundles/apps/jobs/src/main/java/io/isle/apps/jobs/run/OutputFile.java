package io.isle.apps.jobs.run;

import io.isle.api.base.Errno;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.platform.Failures;
import io.isle.apps.jobs.spec.Buffers;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * An output file: written beside its name, and given its name by {@link #commit}. Until then the
 * old file, if any, is untouched. What is no regular file (a FIFO, {@code /dev/null}) is written
 * directly. Used by one thread.
 */
final class OutputFile implements AutoCloseable {
  private final Path target;
  private final Path part;
  private final FileChannel channel;
  private long bytes;
  private boolean committed;

  private OutputFile(Path target, Path part, FileChannel channel) {
    this.target = target;
    this.part = part;
    this.channel = channel;
  }

  /** That of an output; null for one without a file. */
  static OutputFile of(Buffers.Output output, String jobId) throws InterruptedException {
    return output.file().isPresent() ? create(output.file().get(), jobId) : null;
  }

  /**
   * Opens the file beside {@code path}.
   *
   * @param jobId part of the temporary name
   */
  static OutputFile create(Path path, String jobId) throws InterruptedException {
    try {
      Path target = Files.exists(path) ? path.toRealPath() : path;
      if (Files.isDirectory(target)) {
        throw JobException.failed(
            Errno.EINVAL, "output " + path + " is a directory; give a file name", null);
      }
      if (Files.exists(target) && !Files.isRegularFile(target)) {
        return new OutputFile(path, null, Opening.open(target, StandardOpenOption.WRITE));
      }
      // Two instances may give the same id at the same time, so the process is part of the name.
      Path part =
          target.resolveSibling(
              target.getFileName() + ".part-" + jobId + "-" + ProcessHandle.current().pid());
      FileChannel channel =
          FileChannel.open(
              part,
              StandardOpenOption.WRITE,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              LinkOption.NOFOLLOW_LINKS);
      return new OutputFile(target, part, channel);
    } catch (IOException e) {
      throw failed(path, e);
    }
  }

  private static JobException failed(Path path, IOException e) {
    String reason = Failures.reason(e);
    int code = reason.contains("No space") ? Errno.ENOSPC : Errno.EIO;
    return JobException.failed(
        code, "output " + path + ": " + reason + "; the output was not written", e);
  }

  void write(ByteBuffer data) throws InterruptedException {
    bytes += data.remaining();
    io(
        () -> {
          while (data.hasRemaining()) {
            channel.write(data);
          }
        });
  }

  private void io(FileWork.Work work) throws InterruptedException {
    FileWork.run("writing", work, e -> failed(target, e));
  }

  /** Whether what was written can be written over: else it went to a FIFO or a device. */
  boolean canSeek() {
    return part != null;
  }

  /** Writes over the beginning. */
  void rewrite(ByteBuffer data) throws InterruptedException {
    io(
        () -> {
          for (long at = 0; data.hasRemaining(); ) {
            at += channel.write(data, at);
          }
        });
  }

  /** Drops what was written; only where {@link #canSeek}. */
  void clear() throws InterruptedException {
    io(() -> channel.truncate(0).position(0));
    bytes = 0;
  }

  /** Writes like {@link #write}; closing it does nothing. */
  OutputStream stream() {
    return new OutputStream() {
      @Override
      public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
      }

      @Override
      public void write(byte[] data, int offset, int length) throws IOException {
        try {
          OutputFile.this.write(ByteBuffer.wrap(data, offset, length));
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new InterruptedIOException("interrupted while writing");
        }
      }
    };
  }

  /** All is written: after this only the name is missing. */
  void finish() throws InterruptedException {
    if (part != null) {
      io(
          () -> {
            channel.force(true);
            channel.close();
          });
    }
  }

  /** Fails when {@link #commit} would: the name or the file may have changed meanwhile. */
  void check() {
    if (part != null && Files.exists(target) && !Files.isRegularFile(target)) {
      throw JobException.failed(
          Errno.EEXIST,
          "output " + target + " is not a regular file any more; no output was written",
          null);
    }
    if (part != null && !Files.isRegularFile(part, LinkOption.NOFOLLOW_LINKS)) {
      throw failed(target, new NoSuchFileException(part.toString()));
    }
  }

  /** Gives the file its name, after {@link #finish}; no interrupt comes between. */
  void commit() {
    try {
      if (part != null) {
        Files.move(
            part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      }
      committed = true;
    } catch (IOException e) {
      throw failed(target, e);
    }
  }

  Path path() {
    return target;
  }

  /** Whether {@code path} is another name of it. */
  boolean isAt(Path path) throws IOException {
    return target.equals(Files.exists(path) ? path.toRealPath() : path);
  }

  /** Where its contents are until it gets its name. */
  Path present() {
    return part == null ? target : part;
  }

  long bytes() {
    return bytes;
  }

  /** Closes it, and removes what was written unless it was committed. */
  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      org.slf4j.LoggerFactory.getLogger(OutputFile.class).warn("closing {} failed", target, e);
    }
    if (!committed && part != null) {
      try {
        Files.deleteIfExists(part);
      } catch (IOException e) {
        org.slf4j.LoggerFactory.getLogger(OutputFile.class).warn("removing {} failed", part, e);
      }
    }
  }
}
