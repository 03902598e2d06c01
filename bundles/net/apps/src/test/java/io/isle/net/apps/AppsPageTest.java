package io.isle.net.apps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Setting;
import io.isle.api.net.NetApp;
import io.isle.api.net.NetAppTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** docs/net-apps.md has the keys, defaults and counters of each kind. */
class AppsPageTest {
  private static final Path PAGE = Path.of("..", "..", "..", "docs", "net-apps.md");

  @TempDir Path folder;

  record Kind(String name, NetApp app) {}

  static Stream<Kind> kinds() {
    return Stream.of(
        new Kind(EchoApp.KIND, new EchoApp()),
        new Kind(DropApp.KIND, new DropApp()),
        new Kind(PktgenApp.KIND, new PktgenApp()),
        new Kind(CaptureApp.KIND, new CaptureApp()));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void keysAndDefaultsAreOnThePage(Kind kind) throws IOException {
    List<String> section =
        Files.readAllLines(PAGE).stream()
            .dropWhile(line -> !line.equals("## " + kind.name()))
            .skip(1)
            .takeWhile(line -> !line.startsWith("## "))
            .toList();
    Map<String, String> shown = new HashMap<>();
    for (String line : section) {
      if (line.startsWith("| `")) {
        String[] cells = line.split("\\|");
        shown.put(cells[1].strip().replace("`", ""), cells[3].strip());
      }
    }
    assertEquals(
        kind.app().settings().stream()
            .collect(Collectors.toMap(Setting::key, Setting::defaultValue)),
        shown);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void limitsAreOnThePage(Kind kind) throws IOException {
    String page = Files.readString(PAGE);
    for (Setting setting : kind.app().settings()) {
      if (setting.type() == Setting.Type.INT && setting.max() != Long.MAX_VALUE) {
        String row = "| `" + setting.key() + "` | " + setting.min() + " to " + setting.max() + " |";
        assertTrue(page.contains(row), row);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void countersAreOnThePage(Kind kind) throws IOException {
    String row =
        Files.readAllLines(PAGE).stream()
            .filter(line -> line.startsWith("| `" + kind.name() + "` |"))
            .findFirst()
            .orElseThrow();
    String[] cells = row.split("\\|");
    Set<String> shown = new TreeSet<>(List.of(cells[3].strip().split(", ")));
    Map<String, String> settings =
        kind.name().equals(CaptureApp.KIND)
            ? Map.of("out", folder.resolve("f").toString())
            : Map.of();
    try (NetAppTask task = kind.app().open(new MemoryPort(), settings)) {
      assertEquals(shown, new TreeSet<>(task.counters().keySet()));
    }
  }
}
