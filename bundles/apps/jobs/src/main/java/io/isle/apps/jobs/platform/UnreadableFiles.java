package io.isle.apps.jobs.platform;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Files that cannot be read are kept for whoever can make something of them. Pure functions. */
public final class UnreadableFiles {
  private static final int MOST = 1000;

  private UnreadableFiles() {}

  /**
   * Keeps a file as {@code NAME.unreadable-NUMBER}, with the first number that is free.
   *
   * @param copy whether the file stays, too
   * @return its new path
   */
  public static Path keep(Path file, boolean copy) throws IOException {
    for (int number = 1; number <= MOST; number++) {
      Path aside = file.resolveSibling(file.getFileName() + ".unreadable-" + number);
      if (Files.exists(aside, LinkOption.NOFOLLOW_LINKS)) {
        continue;
      }
      return copy ? Files.copy(file, aside) : Files.move(file, aside);
    }
    throw new FileAlreadyExistsException(
        file + ".unreadable-1 to -" + MOST,
        null,
        "these names are all taken; delete the files that are not needed");
  }
}
