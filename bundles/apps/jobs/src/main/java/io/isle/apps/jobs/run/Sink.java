package io.isle.apps.jobs.run;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** Where results of a step go, in order. Used by one thread. */
interface Sink extends AutoCloseable {
  /** Takes the results of one piece. */
  void accept(MemorySegment results) throws InterruptedException;

  /** Hands on what is buffered: what is printed appears as the job goes on. */
  void flush() throws InterruptedException;

  /** All pieces came: writes the rest; once. */
  void finish() throws InterruptedException;

  /** Gets its name by {@link OutputFile#commit}. */
  Optional<OutputFile> file();

  /** Bytes of results in the file, without what its format adds. */
  long written();

  /** Name of the step whose results these are. */
  String step();

  /** Removes an output that was not committed. */
  @Override
  void close();
}
