package io.isle.mltool;

import java.io.InputStream;
import java.io.PrintStream;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;

/**
 * What a verb works with.
 *
 * @param in standard input
 * @param out standard output; the caller flushes it at the end
 * @param json whether the output is one JSON document
 * @param clock time of day, for keys
 */
record Tool(InputStream in, PrintStream out, boolean json, Clock clock) {
  /** The day, as validity of keys counts. */
  LocalDate today() {
    return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
  }
}
