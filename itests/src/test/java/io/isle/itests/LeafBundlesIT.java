package io.isle.itests;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each leaf bundle goes and comes back; the platform works and no thread of it stays. */
@ExtendWith(Platform.class)
class LeafBundlesIT {
  private static final Pattern ISLE_THREAD =
      Pattern.compile("^\"((?:isle|driver-host)[^\"]*)\"", Pattern.MULTILINE);
  private static final String JOB =
      Platform.root().resolve("examples/blockhash/job.yml").toString();

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "io.isle.faces.shell.accel",
        "io.isle.faces.shell.device",
        "io.isle.faces.shell.driver",
        "io.isle.faces.shell.job",
        "io.isle.drivers.sim",
        "io.isle.drivers.soft",
        "io.isle.apps.jobs"
      })
  void aLeafGoesAndComesBack(String bundle) throws Exception {
    Path input = Files.writeString(folder.resolve("text"), "hello");
    Devices.awaitState("soft0", "active");
    Set<String> before = threads();
    Platform.sh("bundle:stop " + bundle).succeeded();
    Awaiting.await("threads of " + bundle + " end", () -> before.containsAll(threads()));
    Platform.sh("bundle:start " + bundle).succeeded();
    Devices.awaitState("soft0", "active");
    Awaiting.await(
        "jobs run again", () -> Platform.isle("run", JOB, "--set", "input=" + input).code() == 0);
    Awaiting.await("no thread was left", () -> before.containsAll(threads()));
  }

  /** Names of the platform's own threads, without their numbers. */
  private static Set<String> threads() throws Exception {
    long pid = Platform.isle("status", "--json").succeeded().json().get("pid").asLong();
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    Process process = new ProcessBuilder(jcmd, Long.toString(pid), "Thread.print").start();
    String dump =
        new String(
            process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    process.waitFor(30, TimeUnit.SECONDS);
    Set<String> names = new TreeSet<>();
    Matcher matcher = ISLE_THREAD.matcher(dump);
    while (matcher.find()) {
      if (!matcher.group(1).startsWith("isle-control")) {
        names.add(matcher.group(1).replaceAll("[0-9]+", "N"));
      }
    }
    return names;
  }
}
