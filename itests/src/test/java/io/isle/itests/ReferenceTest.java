package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * The pages of docs/reference are what the code says; {@code scripts/reference} writes them anew.
 */
class ReferenceTest {
  private static final Path FOLDER = Path.of("..", "docs", "reference");
  private static final boolean WRITE = "write".equals(System.getProperty("isle.reference"));

  private static void check(String page, String text) throws IOException {
    Path file = FOLDER.resolve(page);
    if (WRITE) {
      Files.createDirectories(FOLDER);
      Files.writeString(file, text);
    }
    assertEquals(text, Files.readString(file), page + " is not up to date: run scripts/reference");
  }

  @Test
  void commands() throws IOException {
    String page = CommandsPage.text();
    assertTrue(page.contains("### device:set\n"), page);
    check("commands.md", page);
  }

  @Test
  void settings() throws IOException {
    String page = SettingsPage.text();
    assertTrue(page.contains("| `signatures` | off, required | off |"), page);
    for (String key : ShippedSettings.OF_ALL_DEVICES) {
      assertTrue(page.contains("| `" + key + "` | "), key);
    }
    check("settings.md", page);
  }
}
