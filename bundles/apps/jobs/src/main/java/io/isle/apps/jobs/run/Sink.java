package io.isle.apps.jobs.run;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** An output of a step, and its results on their way there, in order. Used by one thread. */
class Sink implements AutoCloseable {
  private final String step;
  private final OutputFile file;

  /**
   * @param step whose results these are
   * @param file gets its name by {@link OutputFile#commit}; null for none
   */
  Sink(String step, OutputFile file) {
    this.step = step;
    this.file = file;
  }

  /** Takes the results of one piece; by default others write the file. */
  void accept(MemorySegment results) throws InterruptedException {
    throw new IllegalStateException("the file of " + step + " is written by others");
  }

  /** Hands on what is buffered: what is printed appears as the job goes on. */
  void flush() throws InterruptedException {}

  /** All pieces came: writes the rest; once. */
  void finish() throws InterruptedException {}

  final Optional<OutputFile> file() {
    return Optional.ofNullable(file);
  }

  /** Bytes of results in the file, without what its format adds. */
  long written() {
    return file == null ? 0 : file.bytes();
  }

  final String step() {
    return step;
  }

  /** Removes an output that was not committed. */
  @Override
  public void close() {
    if (file != null) {
      file.close();
    }
  }
}
