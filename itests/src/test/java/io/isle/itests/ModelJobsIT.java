package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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

/** Models decide for jobs that run. */
@ExtendWith(Platform.class)
class ModelJobsIT {
  private static final int PIECE = 8 * Blocks.BLOCK;
  private static final int CALLS = 300;
  private static final int WILD = 64 << 10;

  private static final String OWN_MODEL =
      """
      setup:
        models:
          submission_time: {file: '%s', key: '%s'}
      """;

  private static final String TWO_GROUPS =
      """
      job: two-groups
      device: soft0
      setup:
        groups:
          calm: {memory.max: 16m}
          wild: {memory.max: 16m}
      streams:
        - name: calm
          group: calm
          steps:
            - {name: hash, program: sha256, in: '%s', args: [1MiB], piece: 1MiB, depth: 2}
        - name: wild
          group: wild
          steps:
            - {name: hash, program: sha256, in: '%s', args: [64KiB], piece: 64KiB, depth: 2}
      """;

  @TempDir Path folder;
  private ModelInstance instance;

  @BeforeEach
  void begin() throws IOException {
    instance = new ModelInstance(Platform.INSTANCE, folder);
    instance.share();
  }

  @AfterEach
  void leave() throws IOException {
    instance.leave();
  }

  /** The engine of inference goes and comes while the job's own model decides. */
  @Test
  void aJobKeepsItsResultsAndItsModelWhileTheEngineRestarts() throws Exception {
    instance.load(instance.same(1));
    Path own = instance.constant(2, 300);
    Path key = folder.resolve("foreign");
    instance.foreign(key, own);
    String setup = OWN_MODEL.formatted(own, key + ".pub");
    Path job =
        Files.writeString(
            folder.resolve("job.yml"),
            Files.readString(Path.of(Blocks.JOB)).replaceFirst("(?m)^steps:", setup + "steps:"));
    byte[] bytes = Blocks.random(3 * PIECE + 9);
    Path output = folder.resolve("output");
    Call call;
    try (Feed input = Feed.create(folder.resolve("input"))) {
      call =
          instance.begin(
              "run", job.toString(), "--set", "input=" + input.path(), "--set", "output=" + output);
      input.give(Arrays.copyOf(bytes, PIECE));
      Awaiting.await("the job's model decides", () -> serial() == 2 && invocations() > 0);
      // what was proven is kept: the engine reads neither of them again
      Files.delete(own);
      Files.delete(Path.of(key + ".pub"));
      instance.sh("bundle:restart io.isle.inference.engine").succeeded();
      input.give(Arrays.copyOfRange(bytes, PIECE, 2 * PIECE));
      Awaiting.await("the job's model is there again", () -> serial() == 2);
      input.give(Arrays.copyOfRange(bytes, 2 * PIECE, bytes.length));
      Awaiting.await("the job's model decides again", () -> invocations() > 0);
      assertTrue(instance.info().get("of_job").asBoolean());
    }
    call.end().succeeded();
    assertEquals(Blocks.expected(bytes), Files.readAllLines(output));
    assertFalse(instance.info().get("of_job").asBoolean());
    assertEquals(1, serial());
    assertEquals("", instance.reason());
    assertTrue(instance.audited("model.job_end").contains("submission_time"));
    Path block = Files.write(folder.resolve("block"), Blocks.random(Blocks.BLOCK));
    instance.isle("run", Blocks.JOB, "--set", "input=" + block).succeeded();
    Awaiting.await("the slot's own model decides", () -> invocations() > 0);
  }

  /** Of two groups, one feeds a model what it was not trained for. */
  @Test
  void theWildGroupLosesTheModelAndTheOtherKeepsIt() throws Exception {
    instance.load(instance.sameOfMebibytes(3));
    int entered = instance.audited("inference.entered").size();
    try (Feed calm = Feed.create(folder.resolve("calm"));
        Feed wild = Feed.create(folder.resolve("wild"))) {
      Path job =
          Files.writeString(
              folder.resolve("job.yml"), TWO_GROUPS.formatted(calm.path(), wild.path()));
      Call call = instance.begin("run", job.toString());
      calm.give(new byte[4 * Blocks.BLOCK]);
      wild.give(new byte[CALLS * WILD]);
      Awaiting.await("wild has lost it", () -> reason("wild").equals("input_anomaly"));
      long before = invocations();
      calm.give(new byte[4 * Blocks.BLOCK]);
      Awaiting.await("calm has it", () -> invocations() > before);
      assertEquals("", reason("calm"));
      JsonNode info = instance.info();
      assertEquals("", info.get("fallback_reason").asText(), info::toString);
      assertTrue(info.get("outside").asLong() > 64, info::toString);
      calm.end();
      wild.end();
      call.end().succeeded();
    }
    assertEquals(entered + 1, instance.audited("inference.entered").size());
    JsonNode last =
        instance.sh("audit:tail -n 1 --action inference.entered", "--json").succeeded().json();
    String detail = last.get(0).get("detail").asText();
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

  private long serial() throws IOException {
    return instance.serial();
  }

  private long invocations() throws IOException {
    return instance.info().get("invocations").asLong();
  }
}
