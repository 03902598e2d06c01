package io.isle.apps.jobs;

import io.isle.api.jobs.JobInfo;
import io.isle.api.jobs.Jobs;
import io.isle.apps.jobs.platform.UnreadableFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The jobs of the history on disk: a job a line, a later line of a job in the place of an earlier
 * one. Lines are appended; a file that has become long is written anew beside itself and renamed. A
 * file with lines that cannot be read is kept under a name of its own; a line that was cut off at
 * the end is dropped. Not thread-safe.
 */
final class HistoryFile {
  private static final Logger LOG = LoggerFactory.getLogger(HistoryFile.class);

  /** Of the file. */
  static final int MAX_BYTES = 16 << 20;

  /** A job whose line would be longer is kept without its lists. */
  static final int MAX_LINE = MAX_BYTES / 2;

  private static final int MAX_LINES = 4 * Jobs.MAX_HISTORY;

  private final Path file;
  private final Map<String, JobInfo> read = new LinkedHashMap<>();
  private int lines;
  private long bytes;
  private boolean spoilt;

  /** Whether the next job is not just appended. */
  private boolean anew;

  /** Whether nothing may be written: what stands there could not be put aside. */
  private boolean closed;

  HistoryFile(Path file) {
    this.file = file;
  }

  /** What earlier runs left, oldest first. Called once, before anything is put. */
  Collection<JobInfo> read() {
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      readLines();
    } else {
      readOld();
    }
    if (anew && !closed) {
      tryToWrite(read.values());
    }
    return List.copyOf(read.values());
  }

  private void readLines() {
    try {
      if (Files.size(file) > 2L * MAX_BYTES) {
        throw new IOException("the file is longer than " + 2 * MAX_BYTES + " bytes");
      }
      // Lines are ASCII: a byte that is none spoils its own line only.
      parse(Files.readString(file, StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      keepAside(false, e.toString());
    }
    if (spoilt) {
      keepAside(true, "the file has lines that are not jobs");
    }
  }

  private void readOld() {
    for (JobInfo job : OldHistory.read(file.toAbsolutePath().getParent())) {
      read.remove(job.id());
      read.put(job.id(), job);
    }
    anew = !read.isEmpty();
  }

  private void parse(String text) {
    bytes = text.length();
    int from = 0;
    while (from < text.length()) {
      int end = text.indexOf('\n', from);
      String line = text.substring(from, end < 0 ? text.length() : end);
      var job = JobLine.read(line);
      lines++;
      job.ifPresent(found -> read.put(found.id(), found));
      if (job.isEmpty() && end >= 0) {
        spoilt = true;
      }
      if (end < 0) {
        anew = true;
        if (job.isEmpty()) {
          LOG.warn("the last line of the job history {} was cut off and is dropped", file);
        }
        return;
      }
      from = end + 1;
    }
  }

  /**
   * @param partly whether some of it can be used
   */
  private void keepAside(boolean partly, String why) {
    anew = true;
    try {
      Path aside = UnreadableFiles.keep(file, partly);
      LOG.warn(
          "the job history {} cannot be read ({}); the old file is kept as {}", file, why, aside);
    } catch (IOException e) {
      closed = true;
      LOG.warn(
          "the job history {} cannot be read ({}) or kept under another name ({}): new"
              + " jobs are remembered until the platform ends, and the file stays unchanged",
          file,
          why,
          e.toString());
    }
  }

  /**
   * Keeps a job.
   *
   * @param all what the history has, this one among them, oldest first
   */
  void put(JobInfo job, Collection<JobInfo> all) {
    if (closed) {
      return;
    }
    byte[] line = line(job);
    if (anew || lines >= MAX_LINES || bytes + line.length > MAX_BYTES) {
      tryToWrite(all);
      return;
    }
    try {
      append(line);
      lines++;
      bytes += line.length;
    } catch (IOException e) {
      // A part of the line may be there.
      anew = true;
      LOG.warn("the job history {} cannot be written", file, e);
    }
  }

  private void append(byte[] line) throws IOException {
    Files.createDirectories(file.getParent());
    Files.write(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private void tryToWrite(Collection<JobInfo> jobs) {
    try {
      write(jobs);
      anew = false;
    } catch (IOException e) {
      anew = true;
      LOG.warn("the job history {} cannot be written", file, e);
    }
  }

  /** The newest jobs that fill half of the file, so that the next ones can be appended. */
  private void write(Collection<JobInfo> jobs) throws IOException {
    Deque<byte[]> newest = new ArrayDeque<>();
    int length = 0;
    for (JobInfo job : List.copyOf(jobs).reversed()) {
      byte[] line = line(job);
      if (length + line.length > MAX_BYTES / 2) {
        break;
      }
      newest.addFirst(line);
      length += line.length;
    }
    ByteBuffer text = ByteBuffer.allocate(length);
    newest.forEach(text::put);
    text.flip();
    Files.createDirectories(file.getParent());
    Path beside = file.resolveSibling(file.getFileName() + ".new");
    try (FileChannel channel =
        FileChannel.open(
            beside,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      while (text.hasRemaining()) {
        channel.write(text);
      }
      channel.force(true);
    }
    Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    lines = newest.size();
    bytes = length;
  }

  private static byte[] line(JobInfo job) {
    String line = JobLine.write(job);
    return (line.length() <= MAX_LINE ? line : JobLine.write(JobRecords.withoutLists(job)))
        .getBytes(StandardCharsets.US_ASCII);
  }
}
