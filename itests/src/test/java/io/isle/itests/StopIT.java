package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code stop} and {@code status} say of a platform that {@code start} did not start. */
class StopIT {
  private static final String INSTANCE = "alone";

  @TempDir Path folder;

  @Test
  void aPlatformWhoseLauncherIsGoneIsFoundAndEnded() throws Exception {
    try (Feed feed = Feed.create(folder.resolve("feed"))) {
      Call run =
          Call.isle(
              Map.of(),
              List.of("run", Blocks.JOB, "--set", "input=" + feed.path(), "--instance", INSTANCE));
      List<ProcessHandle> processes = new ArrayList<>(List.of(run.process().toHandle()));
      try {
        feed.give(Blocks.random(2 * Blocks.BLOCK));
        processes.addAll(run.process().descendants().toList());
        ProcessHandle platform =
            processes.stream()
                .filter(each -> each.info().command().orElse("").endsWith("/java"))
                .findFirst()
                .orElseThrow();
        JsonNode running = isle("status", "--json").succeeded().json();
        assertEquals("running", running.get("state").asText());
        Platform.Result refused = isle("stop").failed(1);
        assertTrue(
            refused.err().contains("end the ./isle command that runs in this instance"),
            refused.err());

        // it cannot clean up, and without its control the platform does not see it go
        signal("STOP", run.process().pid());
        Call blind = begin("sh", "bundle:stop -t io.isle.faces.control");
        assertTrue(blind.end().code() <= 1);
        Platform.Result used = isle("stop").failed(1);
        assertTrue(used.err().contains("is in use by another ./isle"), used.err());
        assertTrue(platform.isAlive());
        signal("KILL", run.process().pid());
        Awaiting.await("the launcher is gone", () -> !run.process().isAlive());

        JsonNode status = isle("status", "--json").succeeded().json();
        assertEquals("unresponsive", status.get("state").asText());
        assertEquals(platform.pid(), status.get("pid").asLong());
        assertEquals("instance alone is stopped\n", isle("stop").succeeded().out());
        Awaiting.await(
            "all processes have ended", () -> processes.stream().noneMatch(ProcessHandle::isAlive));
        assertEquals("stopped", isle("status", "--json").json().get("state").asText());
      } finally {
        run.process().descendants().forEach(ProcessHandle::destroyForcibly);
        processes.forEach(ProcessHandle::destroyForcibly);
      }
    }
  }

  private void signal(String name, long pid) {
    Call.begin(folder, Map.of(), List.of("kill", "-" + name, Long.toString(pid)))
        .end()
        .saysNothing();
  }

  private static Platform.Result isle(String... arguments) {
    return begin(arguments).end();
  }

  private static Call begin(String... arguments) {
    List<String> words = new ArrayList<>(List.of(arguments));
    words.addAll(List.of("--instance", INSTANCE));
    return Call.isle(Map.of(), words);
  }
}
