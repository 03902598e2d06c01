package io.isle.fabric.ring.admin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Keeps counters between two versions of the bundle. */
public final class CounterFile {
  private static final System.Logger LOG = System.getLogger(CounterFile.class.getName());

  /** More than all counters of a thousand nodes. */
  private static final long MOST_BYTES = 4 << 20;

  private final Path file;

  /** A file that may be missing. */
  public CounterFile(Path file) {
    this.file = file;
  }

  /** Adds what an earlier version has left. A file that cannot be read costs its counters only. */
  public void read(CounterTotals into) {
    try {
      if (Files.exists(file) && Files.size(file) <= MOST_BYTES) {
        into.add(Files.readAllLines(file));
      }
    } catch (IOException | IllegalArgumentException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "the counters in {0} cannot be read and begin at 0: {1}",
          file,
          e);
    }
  }

  /** Writes the kept counters for the next version. */
  public void write(CounterTotals from) {
    Path beside = file.resolveSibling(file.getFileName() + ".new");
    try {
      Path written = Files.write(beside, from.lines());
      Path ignored =
          Files.move(
              written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "the counters cannot be written to {0} and begin at 0 later: {1}",
          file,
          e);
    }
  }
}
