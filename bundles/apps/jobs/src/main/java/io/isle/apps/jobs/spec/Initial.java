package io.isle.apps.jobs.spec;

import java.nio.file.Path;

/** What an output holds before the program runs, if not zeros. */
public sealed interface Initial {
  /**
   * The same number in each element.
   *
   * @param bits of the output's type, low-aligned
   */
  record Value(long bits) implements Initial {}

  /** The contents of a file. */
  record OfFile(Path file, Buffers.Format format) implements Initial {}
}
