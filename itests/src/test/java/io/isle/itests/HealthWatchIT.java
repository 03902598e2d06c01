package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The example of a subsystem, built outside of the tree and dropped in: it reads the health of a
 * device at each opening, over a crash and a restart, and counts the readings in an agent.
 */
@ExtendWith(Platform.class)
class HealthWatchIT {
  private static final String BUNDLE = "com.example.health-watch";
  private static final String DEVICE = "soft94";

  @TempDir Path folder;

  private final Path deployed = Platform.folder().resolve("deploy/health-watch.jar");

  @AfterEach
  void remove() throws Exception {
    Files.deleteIfExists(deployed);
    Files.deleteIfExists(Devices.settings(DEVICE));
    Awaiting.await("the bundle is gone", () -> !bundles().contains(BUNDLE));
    Awaiting.await(DEVICE + " is gone", () -> !Devices.exists(DEVICE));
  }

  @Test
  void itReadsEachOpeningAndCountsThem() throws Exception {
    List<String> errors = log("| ERROR |");
    Devices.configure(DEVICE, "driver=soft", "fault_injection=true");
    Devices.awaitState(DEVICE, "active");
    int before = log(sums()).size();
    deploy();
    Awaiting.await("it is read when the bundle comes", () -> readings().size() == 1);

    Platform.sh("driver:crash " + DEVICE).succeeded();
    Awaiting.await("it is read after the crash", () -> readings().size() == 2);
    assertFalse(epoch(readings().getFirst()).equals(epoch(readings().getLast())));

    Platform.sh("bundle:restart " + BUNDLE).succeeded();
    Awaiting.await("the agent's sum", () -> log(sums()).size() == before + 1);
    assertEquals("2", count(log(sums()).getLast()));
    Awaiting.await("it is read after the restart", () -> readings().size() == 3);
    assertEquals(epoch(readings().get(1)), epoch(readings().get(2)));
    assertEquals(errors, log("| ERROR |"));
  }

  private void deploy() throws IOException {
    Path mine = Sdk.example("health-watch", folder.resolve("my watch"));
    Sdk.tool("isle-mvn", "-o", "-q", "-f", mine.toString(), "package").succeeded();
    Path beside = Platform.folder().resolve("deployed.part");
    Files.copy(
        mine.resolve("target/health-watch-1.0.0.jar"), beside, StandardCopyOption.REPLACE_EXISTING);
    Files.move(beside, deployed, StandardCopyOption.ATOMIC_MOVE);
  }

  private static String bundles() {
    return Platform.sh("bundle:list -t 0 -s --no-format").succeeded().out();
  }

  /** Where the sum of the agent has the device. */
  private static String sums() {
    return DEVICE + "=";
  }

  private static String count(String line) {
    return line.replaceFirst(".*" + sums() + "(\\d+).*", "$1");
  }

  private static List<String> readings() throws IOException {
    return log(DEVICE + " in epoch ").stream()
        .filter(line -> line.endsWith("memory errors"))
        .toList();
  }

  private static String epoch(String line) {
    return line.replaceFirst(".* in epoch (\\d+):.*", "$1");
  }

  private static List<String> log(String part) throws IOException {
    try (Stream<String> log = Files.lines(Platform.folder().resolve("data/log/karaf.log"))) {
      return log.filter(line -> line.contains(part)).toList();
    }
  }
}
