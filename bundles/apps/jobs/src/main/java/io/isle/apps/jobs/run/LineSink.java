package io.isle.apps.jobs.run;

import io.isle.api.jobs.JobObserver;
import io.isle.apps.jobs.spec.Buffers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;

/**
 * Writes a line for each record of a program's results, and prints it where that is wanted. Used by
 * one thread.
 */
final class LineSink extends Sink {
  private static final int BUFFER = 64 * 1024;
  private static final byte[] HEX = {
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'
  };

  private final int record;
  private final boolean print;
  private final JobObserver observer;
  private final byte[] text = new byte[BUFFER];
  private final ByteBuffer textBytes = ByteBuffer.wrap(text);
  private int used;
  private long index;

  /**
   * @param record bytes of a record
   */
  LineSink(String step, Buffers.Output output, int record, String jobId, JobObserver observer)
      throws InterruptedException {
    super(step, OutputFile.of(output, jobId));
    this.record = record;
    this.print = output.print();
    this.observer = observer;
  }

  /** Whether records are short enough for lines. */
  static boolean canLine(Shape shape) {
    return !shape.sum() && shape.record() > 1 && longestLine(shape.record()) <= BUFFER;
  }

  /** The longest line: two digits a byte, two spaces, an index, a line feed. */
  private static int longestLine(int record) {
    return 2 * record + 2 + 19 + 1;
  }

  @Override
  void accept(MemorySegment results) throws InterruptedException {
    for (long at = 0; at < results.byteSize(); at += record) {
      line(results, at);
    }
  }

  private void line(MemorySegment results, long from) throws InterruptedException {
    if (used + longestLine(record) > BUFFER) {
      flush();
    }
    for (int i = 0; i < record; i++) {
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
  void flush() throws InterruptedException {
    if (used == 0) {
      return;
    }
    if (print) {
      observer.print(text, used);
    }
    if (file().isPresent()) {
      file().get().write(textBytes.clear().limit(used));
    }
    used = 0;
  }

  @Override
  void finish() throws InterruptedException {
    flush();
  }
}
