package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The same library in the platform's process and in one of its own, under a stream of jobs. */
@ExtendWith(Platform.class)
class TierIT {
  private static final int PIECE = 8 * Blocks.BLOCK;

  @TempDir Path folder;

  @Test
  void everyJobIsRightAndTheNextOneRunsInTheNewTier() throws Exception {
    byte[] bytes = Blocks.random(3 * Blocks.BLOCK + 7);
    Path input = Files.write(folder.resolve("data"), bytes);
    AtomicBoolean enough = new AtomicBoolean();
    CompletableFuture<List<Platform.Result>> stream =
        CompletableFuture.supplyAsync(() -> jobs(input, enough), Thread::startVirtualThread);
    try {
      for (int tier : new int[] {1, 2}) {
        changeUnderAJob(tier);
        Platform.Result next =
            Platform.isle("run", Blocks.JOB, "--set", "input=" + input, "--json").succeeded();
        assertEquals(tier, next.json().get("tier").asInt());
        assertTrue(next.json().get("error").isNull());
      }
    } finally {
      enough.set(true);
    }
    for (Platform.Result result : stream.join()) {
      assertEquals(Blocks.expected(bytes), Blocks.printed(result.succeeded()));
    }
  }

  /** A job that waits for more input is in the middle for certain. */
  private void changeUnderAJob(int tier) throws Exception {
    try (Feed feed = Feed.create(folder.resolve("feed" + tier))) {
      Call call = Platform.begin("run", Blocks.JOB, "--set", "input=" + feed.path());
      feed.give(Blocks.random(PIECE + Blocks.BLOCK));
      Platform.sh("driver:tier soft0 " + tier).succeeded();
      JsonNode info = Devices.info("soft0");
      assertEquals("active", info.get("state").asText());
      assertEquals(tier, info.get("tier").asInt());
      assertEquals(tier == 1, info.get("host_pid").isNull());
      feed.end();
      call.end().succeeded();
    }
  }

  private static List<Platform.Result> jobs(Path input, AtomicBoolean enough) {
    List<Platform.Result> results = new ArrayList<>();
    do {
      results.add(
          Platform.isle("run", Blocks.JOB, "--set", "input=" + input, "--set", "print=true"));
    } while (!enough.get());
    return results;
  }
}
