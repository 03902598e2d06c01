package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Of two groups, one feeds a model what it was not trained for. */
@ExtendWith(Platform.class)
class TwoGroupsIT {
  private static final String JOB =
      """
      job: two-groups
      params:
        input: {type: file}
      device: soft0
      setup:
        groups:
          calm: {memory.max: 16m}
          wild: {memory.max: 16m}
      streams:
        - name: calm
          group: calm
          steps:
            - {name: hash, program: sha256, in: "${input}", args: [1MiB], piece: 1MiB, depth: 2, for: 12s}
        - name: wild
          group: wild
          steps:
            - {name: hash, program: sha256, in: "${input}", args: [64KiB], piece: 64KiB, depth: 2, for: 12s}
      """;

  @TempDir Path folder;
  private ModelInstance instance;

  @BeforeEach
  void begin() throws IOException {
    instance = new ModelInstance("two-groups", folder);
    instance.begin();
  }

  @AfterEach
  void stop() {
    instance.isle("stop").succeeded();
  }

  @Test
  void theWildOneLosesTheModelAndTheOtherKeepsIt() throws Exception {
    // how good the answers are depends on the machine, which is not the question here
    Files.writeString(
        instance.folder().resolve("etc/io.isle.model-submission_time.cfg"),
        "accuracy_threshold = 0\nmin_advantage = -1\n");
    instance.load(instance.sameOfMebibytes(1));
    Path input = folder.resolve("input");
    try (RandomAccessFile file = new RandomAccessFile(input.toFile(), "rw")) {
      file.setLength(32L * Blocks.BLOCK);
    }
    Path job = Files.writeString(folder.resolve("job.yml"), JOB);
    Call call = instance.begin("run", job.toString(), "--set", "input=" + input);
    Awaiting.await("wild has lost it", () -> reason("wild").equals("input_anomaly"));
    long before = instance.info().get("invocations").asLong();
    Awaiting.await("calm has it", () -> instance.info().get("invocations").asLong() > before);
    assertEquals("", reason("calm"));
    JsonNode info = instance.info();
    assertEquals("", info.get("fallback_reason").asText(), info::toString);
    assertTrue(info.get("outside").asLong() > 64, info::toString);
    call.end().succeeded();
    JsonNode entered =
        instance.sh("audit:tail -n 9 --action inference.entered", "--json").succeeded().json();
    assertEquals(1, entered.size(), entered::toString);
    String detail = entered.get(0).get("detail").asText();
    assertTrue(detail.startsWith("reason=input_anomaly group=wild feature=5 "), detail);
  }

  /** Why the rule decides for a group that decides now; empty while the model does. */
  private String reason(String group) throws IOException {
    for (JsonNode one : instance.info().get("groups")) {
      if (one.get("group").asText().equals(group)) {
        return one.get("fallback_reason").asText();
      }
    }
    throw new AssertionError(group + " decides nothing");
  }
}
