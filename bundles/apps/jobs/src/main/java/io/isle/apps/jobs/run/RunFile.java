package io.isle.apps.jobs.run;

import io.isle.api.base.Errno;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.data.ElementType;
import io.isle.apps.jobs.platform.Failures;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Sorted runs in a file that has no name any more, so that nothing is left however the platform
 * ends. Used by one thread.
 */
final class RunFile implements AutoCloseable {
  /** Most runs: each needs a page of memory while they are merged. */
  static final int MAX_RUNS = 16_384;

  private static final long BUFFERS = 64L << 20;
  private static final long LEAST = 4096;
  private static final long MOST = 1 << 20;

  private final Path beside;
  private final ElementType type;
  private final FileChannel channel;

  /** Where each run ends. */
  private final List<Long> ends = new ArrayList<>();

  private RunFile(Path beside, ElementType type, FileChannel channel) {
    this.beside = beside;
    this.type = type;
    this.channel = channel;
  }

  /**
   * Makes one.
   *
   * @param output a file in whose folder there is room; of what is no regular file, the folder for
   *     temporary files
   */
  static RunFile create(Path output, ElementType type) {
    Path absolute = output.toAbsolutePath();
    boolean regular = !Files.exists(output) || Files.isRegularFile(output);
    try {
      Path file =
          regular
              ? Files.createTempFile(absolute.getParent(), output.getFileName() + ".runs-", "")
              : Files.createTempFile("isle-runs-", "");
      try {
        return new RunFile(
            output,
            type,
            FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE));
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw failed(output, e);
    }
  }

  private static JobException failed(Path output, IOException e) {
    String reason = Failures.reason(e);
    return JobException.failed(
        reason.contains("No space") ? Errno.ENOSPC : Errno.EIO,
        "output "
            + output
            + ": the temporary file of the sorted pieces: "
            + reason
            + "; the output was not written",
        e);
  }

  /** Adds a run. */
  void add(MemorySegment run) throws InterruptedException {
    if (ends.size() == MAX_RUNS) {
      throw JobException.failed(
          Errno.EMSGSIZE,
          "output "
              + beside
              + ": more than "
              + MAX_RUNS
              + " sorted pieces; use a device with more memory",
          null);
    }
    ByteBuffer data = run.asByteBuffer();
    long from = end();
    FileWork.run(
        "merging",
        () -> {
          for (long at = from; data.hasRemaining(); ) {
            at += channel.write(data, at);
          }
        },
        e -> failed(beside, e));
    ends.add(from + run.byteSize());
  }

  private long end() {
    return ends.isEmpty() ? 0 : ends.getLast();
  }

  /** A reader for each run, in order. */
  List<Reader> readers(Arena arena) {
    long each = Math.clamp(BUFFERS / Math.max(1, ends.size()) / LEAST * LEAST, LEAST, MOST);
    List<Reader> readers = new ArrayList<>();
    long from = 0;
    for (long end : ends) {
      readers.add(new Reader(arena.allocate(each, Long.BYTES), from, end));
      from = end;
    }
    return readers;
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      org.slf4j.LoggerFactory.getLogger(RunFile.class)
          .warn("closing the sorted pieces of {} failed", beside, e);
    }
  }

  /** Reads one run from its start to its end. */
  final class Reader {
    private final MemorySegment buffer;
    private final long end;
    private long at;
    private long count;
    private long next;
    private long key;
    private boolean begun;

    private Reader(MemorySegment buffer, long from, long end) {
      this.buffer = buffer;
      this.at = from;
      this.end = end;
    }

    /** Goes on to the next element; false when there is none. */
    boolean next() throws InterruptedException {
      if (next == count && !fill()) {
        return false;
      }
      long before = key;
      key = type.key(buffer, next++);
      if (begun && Long.compareUnsigned(key, before) < 0) {
        throw JobException.failed(
            Errno.EIO, "output " + beside + ": the program gave a piece that is not sorted", null);
      }
      begun = true;
      return true;
    }

    private boolean fill() throws InterruptedException {
      long bytes = Math.min(buffer.byteSize(), end - at);
      ByteBuffer into = buffer.asSlice(0, bytes).asByteBuffer();
      FileWork.run(
          "merging",
          () -> {
            while (into.hasRemaining()) {
              int read = channel.read(into, at);
              if (read < 0) {
                throw new IOException("the file was cut off");
              }
              at += read;
            }
          },
          e -> failed(beside, e));
      next = 0;
      count = bytes / type.bytes();
      return count > 0;
    }

    /** The key of the element that it is at. */
    long key() {
      return key;
    }
  }
}
