package io.isle.apps.jobs.run;

import io.isle.api.base.Errno;
import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.platform.Failures;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;

/**
 * A regular file as it lies in the page cache: mapped one window at a time and given back at once,
 * so that the platform never seems to need the memory of a whole file. What a window is used for
 * fails with an InternalError when the file has become shorter. Thread-safe.
 */
final class FileWindows {
  /** Bytes of a window. */
  static final long WINDOW = 8L << 20;

  private final String name;
  private final FileChannel channel;
  private final long start;
  private final long bytes;

  /** What is done with a window. */
  interface Use {
    /**
     * @param window valid until it returns
     * @param at bytes from the first window's beginning
     */
    void take(MemorySegment window, long at);
  }

  /**
   * @param name of the file, for messages
   * @param channel open for as long as this is used
   * @param start of the bytes that count
   */
  FileWindows(String name, FileChannel channel, long start, long bytes) {
    this.name = name;
    this.channel = channel;
    this.start = start;
    this.bytes = bytes;
  }

  /** Bytes that count. */
  long bytes() {
    return bytes;
  }

  /**
   * Uses a part of the file window by window, in order, in the calling thread.
   *
   * @throws JobException EIO
   */
  void each(long from, long length, Use use) throws InterruptedException {
    for (long at = 0; at < length; at += WINDOW) {
      try (Arena arena = Arena.ofConfined()) {
        use.take(map(from + at, Math.min(WINDOW, length - at), arena), at);
      }
    }
  }

  /**
   * A window that was read and can be used by another thread, until it is closed by one.
   *
   * @param arena that it lies in
   */
  record Ready(MemorySegment bytes, Arena arena) implements AutoCloseable {
    @Override
    public void close() {
      arena.close();
    }
  }

  /**
   * Reads a part of the file into the page cache; its first window stays mapped, so that it need
   * not be mapped twice.
   *
   * @throws JobException EIO
   */
  Ready read(long from, long length) throws InterruptedException {
    long first = Math.min(WINDOW, length);
    Arena arena = Arena.ofShared();
    try {
      MemorySegment window = map(from, first, arena);
      window.load();
      each(from + first, length - first, (rest, _) -> rest.load());
      return new Ready(window, arena);
    } catch (InterruptedException | RuntimeException | Error e) {
      arena.close();
      throw e;
    }
  }

  /**
   * A part of the file at once, of any length, for as long as {@code arena} is open.
   *
   * @throws JobException EIO
   */
  MemorySegment map(long from, long length, Arena arena) throws InterruptedException {
    try {
      return channel.map(FileChannel.MapMode.READ_ONLY, start + from, length, arena);
    } catch (ClosedByInterruptException e) {
      throw FileWork.interrupted("reading", e);
    } catch (IOException e) {
      throw failed(start + from + length, e);
    }
  }

  private JobException failed(long end, IOException e) {
    try {
      if (channel.size() < end) {
        return JobException.failed(
            Errno.EIO,
            name
                + " became shorter while it was read; run the job again when no program writes"
                + " to the file",
            e);
      }
    } catch (IOException again) {
      e.addSuppressed(again);
    }
    return JobException.failed(Errno.EIO, name + ": " + Failures.reason(e), e);
  }
}
