package io.isle.apps.jobs.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.jobs.JobException;
import io.isle.apps.jobs.formula.Numbers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sizes in job files and behind {@code --set}. */
class SizesTest {
  private static final String JOB =
      """
      job: j
      params:
        size: {type: int, default: 32 MiB}
      device: {memory: %1$s}
      setup: {devices: {soft7: {tier: 2}}}
      steps:
        - {program: sha256, in: x, args: ["${size}"], piece: %1$s, hold: %1$s}
      faults: [{device: soft7, fault: kill, after_bytes: %1$s}]
      claims: [{name: c, value: blocks, goal: "== ceil(bytes / ${size})"}]
      """;

  @ParameterizedTest
  @ValueSource(strings = {"33554432", "32m", "32M", "32MiB", "32 MiB", "32mib", "0x2000000"})
  void oneNotationEverywhere(String text) {
    for (JobSpec job :
        List.of(parse(JOB.formatted(text), Map.of()), parse(JOB.formatted(text), "size", text))) {
      JobSpec.Step step = job.streams().getFirst().steps().getFirst();
      assertEquals(32 << 20, job.device().memoryBytes());
      assertEquals(List.of(32L << 20), step.pace().pieces());
      assertEquals(32 << 20, step.pace().hold());
      assertEquals(32 << 20, job.faults().getFirst().after());
      assertEquals(
          32 << 20,
          Numbers.size(((Arg.Plain) step.program().args().getFirst()).text()).orElseThrow());
      assertEquals(3, job.claims().getFirst().goal().evaluate(Map.of("bytes", 3.0 * (32 << 20))));
    }
  }

  @Test
  void messagesNameTheSuffixes() {
    for (String key : List.of("memory", "piece", "hold")) {
      String text = JOB.formatted("32m").replace(key + ": 32m", key + ": 32MB");
      refused(text, Map.of(), key + ": must be a number of bytes");
    }
    refused(JOB.formatted("1m"), Map.of("size", "32MB"), "'32MB' is not a whole number (sizes");
  }

  private static void refused(String text, Map<String, String> given, String why) {
    JobException e = assertThrows(JobException.class, () -> parse(text, given));
    assertTrue(e.getMessage().contains(why), e.getMessage());
    assertTrue(e.getMessage().contains("with k, m, g, t or KiB, MiB, GiB, TiB"), e.getMessage());
  }

  private static JobSpec parse(String text, String key, String value) {
    return parse(text, Map.of(key, value));
  }

  private static JobSpec parse(String text, Map<String, String> given) {
    return JobParser.parse(
        JobFile.parse("job.yml", text.getBytes(StandardCharsets.UTF_8)),
        Path.of("/base"),
        given,
        Path.of("/caller"),
        Map.of(),
        Map.of());
  }
}
