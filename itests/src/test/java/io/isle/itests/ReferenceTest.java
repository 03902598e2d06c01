package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The pages of docs/reference and the access lists of config/ are what the code says; {@code
 * scripts/reference} writes them anew.
 */
class ReferenceTest {
  private static final Path FOLDER = Path.of("..", "docs", "reference");
  private static final boolean WRITE = "write".equals(System.getProperty("isle.reference"));

  private static void check(Path file, String text) throws IOException {
    if (WRITE) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    }
    assertTrue(Files.exists(file), file + " is missing: run scripts/reference");
    assertEquals(text, Files.readString(file), file + " is not up to date: run scripts/reference");
  }

  @Test
  void commands() throws IOException {
    String page = CommandsPage.text();
    assertTrue(page.contains("### device:set\n"), page);
    check(FOLDER.resolve("commands.md"), page);
  }

  @Test
  void settings() throws IOException {
    String page = SettingsPage.text();
    assertTrue(page.contains("| `signatures` | off, required | off |"), page);
    for (String key : ShippedSettings.OF_ALL_DEVICES) {
      assertTrue(page.contains("| `" + key + "` | "), key);
    }
    check(FOLDER.resolve("settings.md"), page);
  }

  @Test
  void accessLists() throws IOException {
    Map<String, String> lists = AccessLists.all();
    for (Map.Entry<String, String> list : lists.entrySet()) {
      check(AccessLists.file(list.getKey()), list.getValue());
    }
    assertEquals(lists.keySet(), AccessLists.written(), "a list without commands is to be deleted");
  }
}
