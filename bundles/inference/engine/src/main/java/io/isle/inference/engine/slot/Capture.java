package io.isle.inference.engine.slot;

import io.isle.api.base.Errno;
import io.isle.api.inference.DecisionFeature;
import io.isle.api.inference.DecisionOutput;
import io.isle.api.inference.DecisionSpec;
import io.isle.api.inference.InferenceException;
import io.isle.api.inference.Models.Captured;
import io.isle.inference.engine.decide.DecisionRecord;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Brings decisions from the scoring thread into a file of another thread. */
final class Capture {
  private static final int WAITING = 8192;

  private final DecisionSpec spec;
  private final BlockingQueue<String> rows = new ArrayBlockingQueue<>(WAITING);
  private final AtomicLong lost = new AtomicLong();

  Capture(DecisionSpec spec) {
    this.spec = spec;
  }

  /** Takes a decision, or counts it when the file is too slow. */
  void offer(String group, DecisionRecord record) {
    StringBuilder row = new StringBuilder(group).append(record.byModel ? ",model" : ",heuristic");
    append(row, record.features);
    append(row, record.answer);
    append(row, record.actual);
    if (!rows.offer(row.append('\n').toString())) {
      lost.incrementAndGet();
    }
  }

  private static void append(StringBuilder row, int[] values) {
    for (int value : values) {
      row.append(',').append(value);
    }
  }

  private String header() {
    StringBuilder row = new StringBuilder("group,by");
    for (DecisionFeature feature : spec.features()) {
      row.append(',').append(feature.name());
    }
    for (DecisionOutput output : spec.outputs()) {
      row.append(",answer_").append(output.name());
    }
    for (DecisionOutput output : spec.outputs()) {
      row.append(",actual_").append(output.name());
    }
    return row.append('\n').toString();
  }

  /** Writes until so many decisions are in the file, or the time has passed. */
  Captured write(Path file, long records, Duration most) throws InterruptedException {
    long end = System.nanoTime() + most.toNanos();
    long written = 0;
    try (Writer out = open(file)) {
      out.write(header());
      while (written < records) {
        long left = end - System.nanoTime();
        String row = left <= 0 ? rows.poll() : rows.poll(left, TimeUnit.NANOSECONDS);
        if (row == null) {
          break;
        }
        out.write(row);
        written++;
      }
    } catch (FileAlreadyExistsException e) {
      throw new InferenceException(Errno.EEXIST, file + ": the file exists already", e);
    } catch (IOException e) {
      throw new InferenceException(Errno.EIO, file + " cannot be written: " + e.getMessage(), e);
    }
    return new Captured(written, lost.get());
  }

  private static Writer open(Path file) throws IOException {
    return new BufferedWriter(
        Channels.newWriter(
            Files.newByteChannel(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))),
            StandardCharsets.US_ASCII));
  }
}
