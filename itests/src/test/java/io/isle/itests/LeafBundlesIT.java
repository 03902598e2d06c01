package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A leaf bundle goes and comes back: the platform works, and no thread is left over. */
@ExtendWith(Platform.class)
class LeafBundlesIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Pattern THREAD = Pattern.compile("^\"(isle-[^\"]*)\"", Pattern.MULTILINE);
  private static final Path JOB = Platform.root().resolve("examples/blockhash/job.yml");

  @TempDir static Path folder;

  @BeforeAll
  static void addASimulatedDevice() throws IOException {
    Path beside = Files.writeString(file().resolveSibling("dropped"), "driver = sim\n");
    Files.move(beside, file());
    until(() -> state("sim8").equals("active"), "sim8 is not active");
  }

  @AfterAll
  static void removeIt() throws IOException {
    Files.deleteIfExists(file());
    until(() -> state("sim8").isEmpty(), "sim8 is still there");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "io.isle.drivers.soft",
        "io.isle.drivers.sim",
        "io.isle.apps.jobs",
        "io.isle.faces.shell.device",
        "io.isle.faces.shell.driver",
        "io.isle.faces.shell.accel",
        "io.isle.faces.shell.job"
      })
  void itGoesAndComesBack(String bundle) throws Exception {
    Map<String, Integer> before = threads();
    Platform.sh("bundle:stop " + bundle).succeeded();
    Platform.sh("bundle:start " + bundle).succeeded();
    until(() -> state("soft0").equals("active"), "soft0 is not active");
    until(() -> state("sim8").equals("active"), "sim8 is not active");
    until(() -> Platform.sh("job:list --json").code() == 0, "job:list is not there");
    Path input = Files.writeString(folder.resolve("input"), "hello");
    JsonNode result =
        Platform.isle("run", JOB.toString(), "--set", "input=" + input, "--json")
            .succeeded()
            .json();
    assertEquals(5, result.get("bytes").asLong());
    until(() -> before.equals(threads()), "threads were " + before + " and are " + threads());
  }

  /** How many threads of each of the platform's names there are; numbers in names do not count. */
  private static Map<String, Integer> threads() {
    String pid = field("status", "pid");
    try {
      Process jcmd =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                  pid,
                  "Thread.print")
              .redirectErrorStream(true)
              .start();
      String text = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(0, jcmd.waitFor(), text);
      Map<String, Integer> names = new TreeMap<>();
      for (Matcher found = THREAD.matcher(text); found.find(); ) {
        String name = found.group(1).replaceAll("[0-9]+", "N");
        if (!name.startsWith("isle-control")) {
          names.merge(name, 1, Integer::sum);
        }
      }
      return names;
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static String field(String verb, String name) {
    try {
      return Platform.isle(verb, "--json").succeeded().json().get(name).asText();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Empty if there is no such device, or nobody to ask. */
  private static String state(String id) {
    Platform.Result result = Platform.sh("device:info " + id + " --json");
    try {
      return result.code() == 0 ? result.json().path("state").asText() : "";
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static Path file() {
    return Platform.folder().resolve("etc").resolve("io.isle.device-sim8.cfg");
  }

  private static void until(BooleanSupplier done, String otherwise) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!done.getAsBoolean()) {
      assertTrue(System.nanoTime() - deadline < 0, otherwise);
    }
  }
}
