package io.isle.apps.jobs.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.jobs.JobException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Job files from anywhere: what is too large, too deep or too long. */
class JobLimitsTest {
  @Test
  void limitsHold() {
    assertMessage("[".repeat(200_000), "nested deeper than 32");
    assertMessage("[" + "a,".repeat(20_000) + "]", "more than 10000 values");
    assertMessage("a".repeat(JobFile.MAX_BYTES + 1), "is longer than");
    assertMessage("job: " + "a".repeat(5000) + "\nsteps: [{program: noop}]", "longer than 4096");
    assertMessage("", "is empty");
    assertMessage("job: j\n  x: [", "is not YAML");
    assertMessage(
        "job: j\nsteps: [" + "{program: noop},".repeat(257) + "]", "at most 256 are allowed");
    assertMessage(
        "{job: j, steps: [{program: noop}], claims: [{name: a, goal: '> 1', value: "
            + "(".repeat(300)
            + "}]}",
        "longer than 256 characters");
  }

  @Test
  void buffersOfAStepAreCountedTogether() {
    StringBuilder in = new StringBuilder();
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < 32; i++) {
      in.append("a").append(i).append(": {file: x, type: u8, shape: [n]},");
      out.append("b").append(i).append(": {type: u8, shape: [n]},");
    }
    String job = "{job: j, steps: [{program: p, in: {%s}, out: {%s}}]}".formatted(in, out);
    assertMessage(job, "steps[0].out: gives the step 64 buffers; the limit is 63");
    assertEquals(
        1, parse(job.replace("b31: {type: u8, shape: [n]},", ""), Map.of()).streams().size());
  }

  /** A small file whose values would be huge when its parameters are filled in. */
  @Test
  void parametersDoNotBlowUp() {
    String job =
        "params: {a: {type: string, default: '"
            + "x".repeat(4000)
            + "'}}\nsteps: [{program: noop}]";
    assertMessage(
        "job: '" + "${a}".repeat(1000) + "'\n" + job, "longer than 4096 characters after");
  }

  /** Thousands of steps that wait for each other, in no helpful order. */
  @Test
  void longChainsOfStepsAreChecked() {
    StringBuilder text = new StringBuilder("job: j\nstreams:\n");
    for (int stream = 0; stream < 16; stream++) {
      text.append("  - name: s").append(stream).append("\n    steps:\n");
      for (int step = 0; step < 200; step++) {
        text.append("      - {program: noop");
        if (step == 0 && stream < 15) {
          text.append(", after: s").append(stream + 1).append("/step199");
        }
        text.append("}\n");
      }
    }
    assertEquals(16, parse(text.toString(), Map.of()).streams().size());
    String ring = text.toString().replaceFirst("(?s)(.*)noop}", "$1noop, after: s0/step0}");
    assertMessage(ring, "in a cycle: s");
  }

  private static void assertMessage(String text, String message) {
    JobException e = assertThrows(JobException.class, () -> parse(text, Map.of()));
    assertTrue(e.getMessage().contains(message), e.getMessage());
    assertTrue(e.line() >= 1);
  }

  private static JobSpec parse(String text, Map<String, String> given) {
    return JobParser.parse(
        JobFile.parse("job.yml", text.getBytes(StandardCharsets.UTF_8)),
        Path.of("/jobs"),
        given,
        Path.of("/home"),
        Map.of(),
        Map.of());
  }
}
