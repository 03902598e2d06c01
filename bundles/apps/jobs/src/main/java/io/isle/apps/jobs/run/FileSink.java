package io.isle.apps.jobs.run;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * An output that others write.
 *
 * @param step whose results it has
 */
record FileSink(String step, OutputFile output) implements Sink {
  @Override
  public void accept(MemorySegment results) {
    throw new IllegalStateException("the file of " + step + " is written by others");
  }

  @Override
  public void flush() {}

  @Override
  public void finish() {}

  @Override
  public Optional<OutputFile> file() {
    return Optional.of(output);
  }

  @Override
  public long written() {
    return output.bytes();
  }

  @Override
  public void close() {
    output.close();
  }
}
