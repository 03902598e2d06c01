package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bundles are updated and restarted while a job works; what stays is what users have. */
@ExtendWith(Platform.class)
class RestartsIT {
  private static final int PIECE = 8 * Blocks.BLOCK;

  @TempDir Path folder;

  private final byte[] bytes = Blocks.random(3 * PIECE + 9);

  /** The bundles that may be restarted, as their headers say; docs/chaos.md has the form. */
  private static Stream<String> bundles(boolean jobsEnd) {
    return CompiledBundles.header("Isle-Restart").entrySet().stream()
        .filter(bundle -> !bundle.getValue().equals("none"))
        .filter(bundle -> bundle.getValue().contains(";jobs=end") == jobsEnd)
        .map(Map.Entry::getKey);
  }

  static Stream<String> bundlesThatJobsOutlive() {
    return bundles(false);
  }

  static Stream<String> bundlesThatEndJobs() {
    return bundles(true);
  }

  /**
   * Leaves, the owner of drivers, whom contexts wait for, and the owners of contexts and rights:
   * then jobs open new contexts. The input is a pipe, which can be read once: a job that began anew
   * would miss what it had read.
   */
  @ParameterizedTest
  @MethodSource("bundlesThatJobsOutlive")
  void aJobOutlivesARestartAndAnUpdate(String bundle) throws Exception {
    Path output = folder.resolve("output");
    Path job = Blocks.jobOn("soft0", folder);
    Devices.awaitState("soft0", "active");
    Call call;
    try (Feed input = Feed.create(folder.resolve("input"))) {
      call =
          Platform.begin(
              "run",
              job.toString(),
              "--set",
              "input=" + input.path(),
              "--set",
              "output=" + output,
              "--json");
      input.give(Arrays.copyOf(bytes, PIECE + Blocks.BLOCK));
      Platform.sh("bundle:restart " + bundle).succeeded();
      Devices.awaitState("soft0", "active");
      input.give(Arrays.copyOfRange(bytes, PIECE + Blocks.BLOCK, 2 * PIECE + Blocks.BLOCK));
      Platform.sh("bundle:update " + bundle).succeeded();
      Devices.awaitState("soft0", "active");
      input.give(Arrays.copyOfRange(bytes, 2 * PIECE + Blocks.BLOCK, bytes.length));
    }
    JsonNode result = call.end().succeeded().json();
    assertEquals(Blocks.expected(bytes), Files.readAllLines(output));
    assertEquals(bytes.length, result.get("bytes").asLong(), "each chunk counts once");
  }

  @ParameterizedTest
  @MethodSource("bundlesThatEndJobs")
  void aJobEndsWithABundleThatRunsItAndTheNextOneIsRight(String bundle) throws Exception {
    Path output = folder.resolve("output");
    Path job = Blocks.jobOn("soft0", folder);
    Devices.awaitState("soft0", "active");
    Call call;
    try (Feed input = Feed.create(folder.resolve("input"))) {
      call =
          Platform.begin(
              "run", job.toString(), "--set", "input=" + input.path(), "--set", "output=" + output);
      input.give(Arrays.copyOf(bytes, PIECE + Blocks.BLOCK));
      Platform.sh("bundle:restart " + bundle).succeeded();
    }
    assertFalse(call.end().code() == 0);
    assertFalse(Files.exists(output), "a half-written output");
    Path data = Files.write(folder.resolve("data"), bytes);
    assertEquals(
        Blocks.expected(bytes),
        Blocks.printed(
            Platform.isle("run", job.toString(), "--set", "input=" + data, "--set", "print=true")
                .succeeded()));
  }
}
