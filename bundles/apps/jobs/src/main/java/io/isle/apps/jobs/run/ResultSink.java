package io.isle.apps.jobs.run;

import io.isle.api.jobs.JobObserver;
import io.isle.apps.jobs.spec.JobSpec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Takes the results of a step piece by piece, in order, and writes them out. Allocates nothing a
 * piece. Used by one thread.
 */
final class ResultSink implements Sink {
  private static final int BUFFER = 64 * 1024;
  private static final byte[] HEX = {
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'
  };
  private static final ValueLayout.OfLong COUNTER =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final String step;
  private final Shape shape;
  private final boolean lines;
  private final boolean print;
  private final JobObserver observer;
  private final OutputFile file;
  private final byte[] text;
  private final ByteBuffer textBytes;
  private final byte[] sums;
  private final MemorySegment sumSegment;
  private int used;
  private long index;

  ResultSink(Shape shape, JobSpec.Step step, String jobId, JobObserver observer)
      throws InterruptedException {
    Optional<JobSpec.Out> out = step.out();
    this.step = step.name();
    this.shape = shape;
    this.lines = out.isPresent() && out.get().lines();
    this.print = out.isPresent() && out.get().print();
    this.observer = observer;
    this.text = lines ? new byte[BUFFER] : new byte[0];
    this.textBytes = ByteBuffer.wrap(text);
    this.sums = shape.sum() ? new byte[shape.record()] : new byte[0];
    this.sumSegment = MemorySegment.ofArray(sums);
    Optional<Path> path = out.flatMap(JobSpec.Out::file);
    this.file = path.isPresent() ? OutputFile.create(path.get(), jobId) : null;
  }

  /** The longest line: two digits a byte, two spaces, an index, a line feed. */
  static int longestLine(int record) {
    return 2 * record + 2 + 19 + 1;
  }

  /** Whether records are short enough for lines. */
  static boolean canLine(Shape shape) {
    return !shape.sum() && shape.record() > 1 && longestLine(shape.record()) <= BUFFER;
  }

  @Override
  public void accept(MemorySegment results) throws InterruptedException {
    if (shape.sum()) {
      for (long at = 0; at < shape.record(); at += Long.BYTES) {
        sumSegment.set(COUNTER, at, sumSegment.get(COUNTER, at) + results.get(COUNTER, at));
      }
    } else if (lines) {
      for (long at = 0; at < results.byteSize(); at += shape.record()) {
        line(results, at);
      }
    } else if (file != null) {
      file.write(results.asByteBuffer());
    }
  }

  private void line(MemorySegment results, long from) throws InterruptedException {
    if (used + longestLine(shape.record()) > BUFFER) {
      flush();
    }
    for (int i = 0; i < shape.record(); i++) {
      int value = results.get(ValueLayout.JAVA_BYTE, from + i) & 0xff;
      text[used++] = HEX[value >>> 4];
      text[used++] = HEX[value & 15];
    }
    text[used++] = ' ';
    text[used++] = ' ';
    digits(index++);
    text[used++] = '\n';
  }

  private void digits(long value) {
    int count = 1;
    for (long rest = value; rest >= 10; rest /= 10) {
      count++;
    }
    long rest = value;
    for (int i = used + count - 1; i >= used; i--) {
      text[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    used += count;
  }

  @Override
  public void flush() throws InterruptedException {
    if (used == 0) {
      return;
    }
    if (print) {
      observer.print(text, used);
    }
    if (file != null) {
      file.write(textBytes.clear().limit(used));
    }
    used = 0;
  }

  @Override
  public void finish() throws InterruptedException {
    flush();
    if (shape.sum() && file != null) {
      file.write(ByteBuffer.wrap(sums));
    }
  }

  @Override
  public Optional<OutputFile> file() {
    return Optional.ofNullable(file);
  }

  @Override
  public long written() {
    return file == null ? 0 : file.bytes();
  }

  @Override
  public String step() {
    return step;
  }

  @Override
  public void close() {
    if (file != null) {
      file.close();
    }
  }
}
