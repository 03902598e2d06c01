package io.isle.apps.jobs.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.jobs.JobException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The key {@code loop} of a step. */
class LoopParserTest {
  /** One line, so that mistakes stand at columns of the first. */
  private static final String JOB =
      "{job: j, steps: [{name: s, in: {a: {file: x, shape: [n]}}, temp: {b: {type: u8, shape:"
          + " [n]}}, loop: {%s}}]}";

  private static final String INNER = "{program: p, args: [a, b]}";

  @Test
  void everythingIsRead() {
    Loop loop =
        loop(
            "for: t, from: 1, to: n * 2, by: -3, checkpoint: 7, swap: [[a, b], [b, a]],"
                + " until: {buffer: b, index: n - 1, goal: \">= n / 2\", check: 16}, steps: ["
                + "{program: {file: k.cl, kernel: k}, args: [a, b, t], size: [n], local: [8],"
                + " offset: [t]}, {loop: {times: t + 1, steps: [{program: fill, args: [b, 0]}]}}]");
    assertEquals(List.of("b"), loop.temps().stream().map(Buffers.Output::name).toList());
    assertEquals(OptionalLong.of(7), loop.checkpoint());
    Loop.Turns turns = loop.turns();
    assertEquals(Optional.of("t"), turns.variable());
    assertEquals("1", turns.from().text());
    assertEquals("n * 2", turns.to().text());
    assertEquals("-3", turns.by().text());
    assertEquals("a", turns.swaps().getFirst().a());
    assertEquals("a", turns.swaps().getLast().b());
    Loop.Until until = turns.until().orElseThrow();
    assertEquals("b", until.buffer());
    assertEquals(Comparison.AT_LEAST, until.comparison());
    assertEquals("n / 2", until.goal().text());
    assertEquals("n - 1", until.index().text());
    assertEquals(16, until.check());
    Loop.Turns inner = (Loop.Turns) turns.steps().getLast();
    assertEquals(Optional.empty(), inner.variable());
    assertEquals(List.of("0", "t + 1", "1"), texts(inner));
    assertEquals(2, loop.calls().size());
    StepProgram program = loop.calls().getFirst().programs().getFirst();
    assertEquals(1, program.range().offset().size());
    assertTrue(program.formulaNames().containsAll(List.of("n", "t")));
  }

  private static List<String> texts(Loop.Turns turns) {
    return List.of(turns.from().text(), turns.to().text(), turns.by().text());
  }

  @Test
  void aStepWithALoopIsAStep() {
    JobSpec job = parse(JOB.formatted("times: 3, steps: [" + INNER + "]"));
    JobSpec.Step step = job.streams().getFirst().steps().getFirst();
    assertEquals("s", step.name());
    assertEquals(1, step.allPrograms().size());
    assertEquals(OptionalLong.empty(), step.loop().orElseThrow().checkpoint());
    JobSpec.Step other =
        parse(JOB.formatted("times: 3, steps: [{program: [p, q], args: [a, b]}, " + INNER + "]"))
            .streams()
            .getFirst()
            .steps()
            .getFirst();
    assertEquals(2, other.choices());
    assertEquals(
        List.of("q", "p"),
        other.withProgram(1).allPrograms().stream().map(program -> program.code().text()).toList());
  }

  @Test
  void claimsMayAskForItsMeasures() {
    String claims = "}, claims: [{name: c, value: step.s.turns + step.s.held, goal: == 1}]}";
    String job = JOB.formatted("times: 3, steps: [" + INNER + "]");
    assertEquals(
        1, parse(job.substring(0, job.length() - 1) + claims.substring(1)).claims().size());
  }

  @Test
  void fourLevelsAreAllowedInAStream() {
    String loop = "{times: 1, steps: [%s]}";
    String deep = INNER.replace("a, b", "a, b, {struct: [{f32: [1, 2]}]}");
    for (int level = 1; level < 4; level++) {
      deep = "{loop: " + loop.formatted(deep) + "}";
    }
    String steps = JOB.formatted("times: 1, steps: [" + deep + "]");
    String stream = steps.replace("steps: [{name", "streams: [{steps: [{name");
    assertEquals(1, parse(stream.substring(0, stream.length() - 1) + "}]}").streams().size());
    fails("times: 1, steps: [{loop: " + loop.formatted(deep) + "}]", "is more than 4 loops deep");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "steps: [{program: p, args: [a, b]}]|loop: needs either 'for' and 'to', or 'times'",
        "for: t, times: 2, steps: []|loop: needs either 'for' and 'to', or 'times'",
        "for: t, steps: []|loop: needs 'to', the value of t that ends the loop",
        "times: 2, from: 1, steps: []|loop.from: is allowed only with 'for'",
        "times: 2|loop: needs 'steps'",
        "times: 2, steps: []|loop.steps: needs at least one step",
        "times: m, steps: []|loop.times: 'm' is neither a number",
        "for: t, to: t, steps: []|loop.to: 't' is neither a number",
        "for: 1t, to: 2, steps: []|loop.for: a variable's name has",
        "for: n, to: 2, steps: []|loop.for: 'n' is already a buffer or an extent",
        "for: b, to: 2, steps: []|loop.for: 'b' is already a buffer or an extent",
        "for: size_x, to: 2, steps: []|loop.for: 'size_x' already has a meaning",
        "for: t, to: 2, steps: [{loop: {for: t, to: 2, steps: []}}]|is already the variable of a"
            + " loop around",
        "times: 2, steps: [{args: [a]}]|loop.steps[0]: needs either 'program' or 'loop'",
        "times: 2, steps: [{program: p, loop: {}}]|loop.steps[0]: needs either 'program' or 'loop'",
        "times: 2, steps: [{args: [a], loop: {}}]|loop.steps[0]: an inner step with 'loop' has no"
            + " other keys",
        "times: 2, steps: [{program: p, in: x}]|loop.steps[0].in: unknown key",
        "times: 2, steps: [{program: {file: k.cl}, args: [a]}]|needs 'size'",
        "times: 2, steps: [{program: p, args: [a, c]}]|loop.steps[0].args[1]: 'c' is neither",
        "times: 2, steps: [{program: p, args: [a]}]|temp.b: no inner step uses this buffer",
        "times: 2, swap: [a], steps: [{program: p, args: [a]}]|loop.swap: must be two names",
        "times: 2, swap: [a, a], steps: [{program: p, args: [a]}]|loop.swap: names the same"
            + " buffer",
        "times: 2, swap: [a, c], steps: [{program: p, args: [a]}]|loop.swap[1]: 'c' is not a"
            + " buffer",
        "times: 2, swap: a, steps: [{program: p, args: [a]}]|loop.swap: must be a list",
        "times: 2, until: {buffer: b}, steps: [{program: p, args: [a]}]|loop.until: needs 'buffer'"
            + " and 'goal'",
        "times: 2, until: {buffer: c, goal: '== 0'}, steps: [{program: p, args:"
            + " [a]}]|until.buffer: 'c' is not a buffer",
        "times: 2, until: {buffer: b, goal: 0}, steps: [{program: p, args: [a]}]|until.goal: must"
            + " begin with ==",
        "times: 2, until: {buffer: b, goal: '== m'}, steps: [{program: p, args:"
            + " [a]}]|until.goal: 'm' is neither",
        "times: 2, until: {buffer: b, goal: '== 0', check: 0}, steps: [{program: p, args:"
            + " [a]}]|until.check: must be a whole number from 1",
        "times: 2, checkpoint: -1, steps: [{program: p, args: [a, b]}]|loop.checkpoint: must be a"
            + " whole number from 0",
        "times: 2, steps: [{loop: {times: 1, checkpoint: 1, steps: []}}]|checkpoint: is allowed"
            + " only in the outermost loop",
        "times: 2, steps: {program: p}|loop.steps: must be a list",
      })
  void refusesWithPlaceAndField(String loop, String message) {
    fails(loop, message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "program: p, loop: {}|steps[0].program: is not allowed in a step with 'loop'",
        "size: [1], loop: {}|steps[0].size: is not allowed in a step with 'loop'",
        "stream: n, in: {a: {file: x, type: u8, shape: [n]}}, loop: {}|stream: is not allowed",
        "verify: true, loop: {}|steps[0].verify: is not allowed in a step with 'loop'",
        "loop: {}|steps[0].loop: needs named buffers",
        "in: x, loop: {}|steps[0].loop: needs named buffers",
        "in: {a: {file: x}}, loop: []|steps[0].loop: must be a mapping",
        "in: {a: {file: x}}, temp: {a: {type: u8, shape: [1]}}, loop: {}|temp.a: is also a buffer",
        "in: {a: {file: x}}, temp: {b: {type: u8}}, loop: {}|temp.b: needs 'type' and 'shape'",
        "in: {a: {file: x}}, temp: {b: {type: u8, shape: [1], file: y}}, loop: {}|temp.b.file:"
            + " unknown key",
        "program: p, temp: {b: {type: u8, shape: [1]}}|steps[0].temp: is allowed only in a step"
            + " with 'loop'",
      })
  void refusesOtherKeysOfTheStep(String keys, String message) {
    assertMessage("{job: j, steps: [{" + keys + "}]}", message);
  }

  @Test
  void measuresThatClaimsNameAlikeAreRefused() {
    String step = "in: {a: {file: x}}, loop: {times: 1, steps: [{program: p, args: [a]}]}";
    assertMessage(
        "{job: j, steps: [{name: a-b, " + step + "}, {name: a_b, " + step + "}]}",
        "claims name the measures of two steps alike, step.a_b");
  }

  private static Loop loop(String text) {
    return parse(JOB.formatted(text)).streams().getFirst().steps().getFirst().loop().orElseThrow();
  }

  private static void fails(String loop, String message) {
    assertMessage(JOB.formatted(loop), message);
  }

  private static void assertMessage(String job, String message) {
    JobException e = assertThrows(JobException.class, () -> parse(job));
    assertEquals(2, e.exitStatus());
    assertTrue(e.getMessage().startsWith("job.yml:1:"), e.getMessage());
    assertTrue(e.getMessage().contains(message), e.getMessage());
  }

  private static JobSpec parse(String text) {
    return JobParser.parse(
        JobFile.parse("job.yml", text.getBytes(StandardCharsets.UTF_8)),
        Path.of("/jobs"),
        Map.of(),
        Path.of("/home"),
        Map.of(),
        Map.of());
  }
}
