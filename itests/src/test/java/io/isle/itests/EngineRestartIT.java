package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The engine of inference goes and comes while a model decides for a job. */
@ExtendWith(Platform.class)
class EngineRestartIT {
  private static final int PIECE = 8 * Blocks.BLOCK;

  @TempDir Path folder;
  private ModelInstance instance;

  @BeforeEach
  void begin() throws IOException {
    instance = new ModelInstance("engine-restart", folder);
    instance.begin();
  }

  @AfterEach
  void stop() {
    instance.isle("stop").succeeded();
  }

  @Test
  void aJobHasItsResultsAndTheModelDecidesAgain() throws Exception {
    instance.load(instance.same(1));
    byte[] bytes = Blocks.random(3 * PIECE + 9);
    Path output = folder.resolve("output");
    Call call;
    try (Feed input = Feed.create(folder.resolve("input"))) {
      call =
          instance.begin(
              "run", Blocks.JOB, "--set", "input=" + input.path(), "--set", "output=" + output);
      input.give(Arrays.copyOf(bytes, PIECE));
      Awaiting.await("the model decides", () -> invocations() > 0);
      instance.sh("bundle:restart io.isle.inference.engine").succeeded();
      input.give(Arrays.copyOfRange(bytes, PIECE, 2 * PIECE));
      Awaiting.await("the model is there again", () -> !info().isNull());
      input.give(Arrays.copyOfRange(bytes, 2 * PIECE, bytes.length));
      Awaiting.await("the model decides again", () -> invocations() > 0);
    }
    call.end().succeeded();
    assertEquals(Blocks.expected(bytes), Files.readAllLines(output));
    assertTrue(instance.info().get("fallback_reason").asText().isEmpty());
  }

  private JsonNode info() throws IOException {
    return instance.info().get("model.bin");
  }

  private long invocations() throws IOException {
    return instance.info().get("invocations").asLong();
  }
}
