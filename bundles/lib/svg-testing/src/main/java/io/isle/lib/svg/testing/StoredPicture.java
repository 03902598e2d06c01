package io.isle.lib.svg.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Compares pictures with those stored in {@code src/test/resources} of the module under test; with
 * {@code -Disle.pictures=write} stores them anew.
 */
public final class StoredPicture {
  private static final Path FOLDER = Path.of("src", "test", "resources", "pictures");
  private static final boolean WRITE = "write".equals(System.getProperty("isle.pictures"));

  private StoredPicture() {}

  /**
   * @param name of the file, without its ending
   * @throws AssertionError if the picture is another, or is not stored
   */
  public static void check(String name, String svg) throws IOException {
    Path stored = FOLDER.resolve(name + ".svg");
    if (WRITE) {
      Files.createDirectories(FOLDER);
      Files.writeString(stored, svg);
    }
    if (!Files.exists(stored) || !Files.readString(stored).equals(svg)) {
      Path drawn = Files.writeString(Path.of("target", name + ".svg"), svg);
      throw new AssertionError(
          drawn
              + " is not the stored picture "
              + stored
              + "; look at both, and store the new one with -Disle.pictures=write if all is well");
    }
  }
}
