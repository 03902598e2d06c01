package io.isle.itests;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which modules {@code ./isle test --changed} runs: the functions of scripts/changed.sh. */
class ChangedTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern MODULE = Pattern.compile("<module>(.*)</module>");

  private static final String FUNCTIONS =
      """
      die() { code=$1; shift; printf '%s\\n' "$*" >&2; exit "$code"; }
      need() { command -v "$1" >/dev/null || exit 3; }
      . "$SCRIPTS/changed.sh"
      """;

  @TempDir Path folder;

  private static String shell(Path root, String script, int code) throws Exception {
    ProcessBuilder builder = new ProcessBuilder("sh", "-u", "-c", FUNCTIONS + script);
    builder.environment().put("ISLE_ROOT", root.toString());
    builder.environment().put("SCRIPTS", ROOT.resolve("scripts").toString());
    Process process = builder.redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertEquals(code, process.waitFor(), said);
    return said;
  }

  /** Modules and why they are reached. */
  private static Map<String, String> reached(String... paths) throws Exception {
    String list = String.join("\n", paths);
    Map<String, String> reached = new LinkedHashMap<>();
    for (String line : shell(ROOT, "reached <<'END'\n" + list + "\nEND", 0).split("\n")) {
      String[] words = line.split(" ", 2);
      reached.put(words[0], words[1]);
    }
    return reached;
  }

  private static Set<String> modules() throws IOException {
    return MODULE
        .matcher(Files.readString(ROOT.resolve("pom.xml")))
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.toSet());
  }

  @Test
  void aProductFileReachesAllThatUseItsModule() throws Exception {
    Map<String, String> reached = reached("bundles/lib/yaml/src/main/java/New.java");
    assertEquals(
        "bundles/lib/yaml/src/main/java/New.java has changed", reached.get("bundles/lib/yaml"));
    assertEquals("uses bundles/lib/yaml", reached.get("bundles/apps/jobs"));
    assertEquals("uses features", reached.get("karaf-assembly"));
    assertTrue(reached.containsKey("itests"), reached::toString);
    assertFalse(reached.containsKey("bundles/core/accel"), reached::toString);
    assertFalse(reached.containsKey("native-shims"), reached::toString);
  }

  @Test
  void aTestReachesItsModuleAlone() throws Exception {
    String test = "bundles/core/tenancy/src/test/java/NewTest.java";
    assertEquals(Map.of("bundles/core/tenancy", test + " has changed"), reached(test));
  }

  @Test
  void nativeCodeReachesWhatRunsOnIt() throws Exception {
    Map<String, String> reached = reached("native-shims/softaccel/new.c");
    for (String module :
        List.of("native-shims", "bundles/core/drivers", "bundles/tck", "bundles/core/accel")) {
      assertTrue(reached.containsKey(module), module);
    }
    assertFalse(reached.containsKey("bundles/api/base"), reached::toString);
    assertFalse(reached.containsKey("bundles/core/tenancy"), reached::toString);
  }

  @Test
  void whatUsersSeeReachesTheIntegrationTestsAndThoseThatReadIt() throws Exception {
    assertEquals(
        Set.of("bundles/lib/model", "bundles/net/apps", "bundles/net/xdp", "bundles/sim", "itests"),
        reached("docs/sim/new.yml").keySet());
    assertEquals(
        Set.of("bundles/apps/jobs", "bundles/net/jobs", "itests"),
        reached("examples/blockhash/job.yml").keySet());
    assertEquals(Set.of("karaf-assembly", "itests"), reached("config/io.isle.cfg").keySet());
    assertEquals(Set.of("itests"), reached("isle", "scripts/tests.sh", "README.md").keySet());
  }

  @Test
  void aFileOfUnknownUseReachesEveryModule() throws Exception {
    assertEquals(modules(), reached("pom.xml").keySet());
    assertEquals(modules(), reached("docs/jobs.md", "new").keySet());
  }

  @Test
  void everyModuleIsReachedByItself() throws Exception {
    List<String> files = new ArrayList<>();
    modules().forEach(module -> files.add(module + "/src/main/New"));
    Map<String, String> reached = reached(files.toArray(String[]::new));
    assertEquals(modules(), reached.keySet());
    reached.forEach((module, why) -> assertEquals(module + "/src/main/New has changed", why));
  }

  @Test
  void changesAreThoseSinceACommitAndWhatGitDoesNotKnow() throws Exception {
    Path root = folder.toRealPath();
    String git = "git -C \"$ISLE_ROOT\" -c user.name=test -c user.email=test@localhost ";
    String two =
        "git init -q \"$ISLE_ROOT\"\n"
            + "cd \"$ISLE_ROOT\"\n"
            + "touch first moved\n"
            + "GIT add .\n"
            + "GIT commit -q -m 1\n"
            + "echo 2 >second\n"
            + "mkdir b\n"
            + "mv moved b/moved\n"
            + "GIT add -A\n"
            + "GIT commit -q -m 2\n";
    shell(root, two.replace("GIT ", git), 0);
    assertEquals("", shell(root, "changed_paths", 0));
    assertEquals("b/moved\nmoved\nsecond\n", shell(root, "changed_paths HEAD~1", 0));
    Files.writeString(root.resolve("first"), "changed");
    Files.writeString(root.resolve("new \u00e9"), "");
    assertEquals("first\nnew \u00e9\n", shell(root, "changed_paths", 0));
    assertEquals(
        "nothing is no commit of this checkout\n", shell(root, "changed_paths nothing", 1));
    Path none = Files.createDirectory(root.resolve("none"));
    assertEquals("--changed needs a checkout of git\n", shell(none, "changed_paths", 1));
  }
}
