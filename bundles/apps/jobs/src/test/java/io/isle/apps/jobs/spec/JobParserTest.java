package io.isle.apps.jobs.spec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.device.DeviceClass;
import io.isle.api.device.Priority;
import io.isle.api.jobs.JobException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobParserTest {
  private static final Path BASE = Path.of("/jobs/here");
  private static final Path CALLER = Path.of("/home/me");

  @Test
  void readsEveryPart() {
    JobSpec job =
        parse(Examples.WHOLE, Map.of("input", "in put", "output", "/out", "print", "true"));
    assertEquals("whole", job.name());
    assertEquals(
        new JobSpec.Device(Optional.empty(), Optional.of(DeviceClass.GPU_COMPUTE), 16 << 20),
        job.device());
    assertEquals("soft", job.setup().devices().getFirst().settings().get("driver"));
    assertEquals(Map.of("key", "a b"), job.setup().settings().getFirst().values());
    JobSpec.Stream stream = job.streams().getFirst();
    assertEquals(Optional.of(Priority.HIGH), stream.priority());
    JobSpec.Step step = stream.steps().getFirst();
    assertEquals(List.of(CALLER.resolve("in put")), files(step.inputs()));
    assertEquals(List.of(Path.of("/out")), files(step.outputs()));
    Buffers.Output out = step.buffers().output("out").orElseThrow();
    assertTrue(out.print() && out.format() == Buffers.Format.LINES);
    assertEquals("1MiB", ((Arg.Plain) step.program().args().getFirst()).text());
    assertEquals(3, stream.steps().get(1).repeat());
    assertEquals(List.of(BASE.resolve("b")), inputs(job.streams().get(1)));
    assertEquals(new JobSpec.Patience(7, 9_000_000), job.patience());
    assertEquals(OptionalLong.of(50_000), stream.maxExecutionUs());
    assertTrue(step.verify() && step.replay() && stream.replays());
    assertEquals(JobSpec.Step.UNTIL_FAULTS, job.streams().get(1).steps().getFirst().repeat());
    JobSpec.Fault hang = job.faults().getFirst();
    assertEquals("hang", hang.fault());
    assertEquals(JobSpec.Fault.Trigger.PIECES, hang.trigger());
    assertEquals(List.of(1L, 2L, 3L), List.of(hang.after(), hang.count(), hang.value()));
    assertEquals(JobSpec.Fault.Trigger.BYTES, job.faults().get(1).trigger());
    assertEquals(1 << 20, job.faults().get(1).after());
    assertEquals(JobSpec.Fault.Trigger.MS, job.faults().get(2).trigger());
    assertEquals(1, job.faults().get(2).count());
    JobSpec.Claim claim = job.claims().getFirst();
    Map<String, Double> values =
        Map.of(
            "bytes", 1048577.0, "blocks", 2.0, "seconds", 1.0, "retries", 0.0, "recoveries", 0.0);
    assertEquals(2, claim.goal().evaluate(values));
    assertTrue(claim.comparison().holds(claim.value().evaluate(values), 2));
  }

  private static List<Path> inputs(JobSpec.Stream stream) {
    return files(stream.steps().getFirst().inputs());
  }

  private static List<Path> files(List<JobSpec.FileUse> files) {
    return files.stream().map(JobSpec.FileUse::path).toList();
  }

  @Test
  void aStreamBelongsToAGroup() {
    JobSpec job =
        parse(
            "{job: j, streams: [{group: team-7, steps: [{program: noop}]},"
                + " {steps: [{program: noop}]}]}",
            Map.of());
    assertEquals(
        List.of("team-7", "default"), job.streams().stream().map(JobSpec.Stream::group).toList());
  }

  @Test
  void aStreamIsLeftOutWhenItsConditionDoesNotHold() {
    String text =
        "{job: j, params: {p: {type: string, choices: [a b, c]}}, streams: [{name: x, when: '${p}"
            + " == a b', steps: [{program: noop}]}, {name: y, when: '${p} != a b', steps:"
            + " [{program: noop}]}], claims: [{name: n, value: stream.x.misses, goal: == 0}]}";
    assertEquals("x", parse(text, Map.of("p", "a b")).streams().getFirst().name());
    assertEquals(List.of("y"), names(parse(text, Map.of("p", "c"))));
    JobException e = assertThrows(JobException.class, () -> parse(text, Map.of("p", "b")));
    assertTrue(e.getMessage().contains("--set p: 'b' is not one of a b, c"), e.getMessage());
  }

  private static List<String> names(JobSpec job) {
    return job.streams().stream().map(JobSpec.Stream::name).toList();
  }

  @Test
  void readsHowWorkFollows() {
    JobSpec job =
        parse(
            "{job: j, params: {share-a: {type: int, default: 70}}, setup: {groups: {q:"
                + " {compute.guarantee: 'soft7 ${(100 - share_a) * 200} 20000', devices: }}},"
                + " streams: [{group: q-1, guarantee: 2000 10000, steps: [{program: sha256, in: a,"
                + " for: 1.5s, depth: 4, piece: [64KiB, 1MiB], hold: 1GiB, barrier: b}]},"
                + " {steps: [{program: busy, period: 20ms, for: 2s}]}], timeline: t.svg, claims:"
                + " [{name: n, value: abs(group.q_1.measured - 70), goal: '<= min(1, 2)'}]}",
            Map.of());
    assertEquals(
        Map.of("compute.guarantee", "soft7 6000 20000", "devices", ""),
        job.setup().groups().getFirst().keys());
    JobSpec.Stream stream = job.streams().getFirst();
    assertEquals(Optional.of(new JobSpec.Guarantee(2000, 10_000)), stream.guarantee());
    assertEquals(
        new JobSpec.Pace(
            1_500_000_000, 0, 4, List.of(65_536L, 1_048_576L), 1L << 30, Optional.of("b")),
        stream.steps().getFirst().pace());
    JobSpec.Pace periodic = job.streams().get(1).steps().getFirst().pace();
    assertEquals(20_000_000, periodic.periodNs());
    assertEquals(BASE.resolve("t.svg"), job.timeline().orElseThrow().file());
    JobSpec.Claim claim = job.claims().getFirst();
    assertEquals(Set.of("group.q_1.measured"), claim.names());
    assertEquals(2, claim.value().evaluate(Map.of("group.q_1.measured", 68.0)));
    assertEquals(1, claim.goal().evaluate(Map.of()));
  }

  @Test
  void defaultsOfPathsCountFromTheFile() {
    JobSpec job =
        parse(
            "{job: j, params: {p: {type: file, default: x}}, steps: [{program: copy, in: '${p}'}]}",
            Map.of());
    assertEquals(List.of(BASE.resolve("x")), inputs(job.streams().getFirst()));
  }

  @Test
  void aDollarCanBeKept() {
    JobSpec job = parse("{job: j, steps: [{program: copy, in: '$${x}-$y'}]}", Map.of());
    assertEquals(List.of(BASE.resolve("${x}-$y")), inputs(job.streams().getFirst()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "steps: []|1:1: the key 'job'",
        "{job: j}|1:1: needs either 'steps' or 'streams'",
        "{job: j, steps: [], streams: []}|1:1: needs either",
        "{job: j, steps: []}|1:17: steps: needs at least one step",
        "{job: 'a b', steps: [{program: noop}]}|1:7: job: a name has",
        "{job: j, stesp: []}|1:17: stesp: unknown key; allowed here: job, params, device, setup",
        "{job: j, job: k}|1:10: job: is given twice",
        "{job: j, steps: [{program: noop, arg: 1}]}|steps[0].arg: unknown key; allowed here: name,"
            + " program",
        "{job: j, steps: [{in: x}]}|steps[0]: needs 'program'",
        "{job: j, steps: [{program: }]}|steps[0].program: needs a value",
        "{job: j, steps: [{program: []}]}|steps[0].program: needs at least one program",
        "{job: j, steps: [{program: [a, a, a, a, a]}]}|has 5 entries; at most 4 are allowed",
        "{job: j, steps: [{program: [[a]]}]}|steps[0].program[0]: must be a mapping",
        "{job: j, steps: [{program: a/b}]}|'a/b' is not the name of a built-in program",
        "{job: j, steps: [{program: {file: a.cl}}]}|steps[0].program: a program of a file needs"
            + " named buffers",
        "{job: j, steps: [{program: {file: a.cl, builtin: copy}, in: {a: {file: x}}}]}|needs one of"
            + " 'builtin', 'file', 'name'",
        "{job: j, steps: [{program: {builtin: copy, kernel: k}, in: {a: {file:"
            + " x}}}]}|program.kernel: is allowed only for a kernel, a program of a file",
        "{job: j, steps: [{program: {file: ''}, in: {a: {file: x}}}]}|program.file: needs a file",
        "{job: j, steps: [{program: {file: a.txt}, in: {a: {file: x}}}]}|does not end with"
            + " .cl, .spv or .ptx",
        "{job: j, steps: [{program: {file: a.cl, kind: builtin}, in: {a: {file: x}}}]}|'builtin' is"
            + " not one of opencl_c, spirv, ptx",
        "{job: j, steps: [{program: {file: a.spv, options: -g}, in: {a: {file:"
            + " x}}}]}|program.options: only programs of the kind opencl_c",
        "{job: j, steps: [{program: {file: a.cl, kernel: a b}, size: [1], in: {a: {file: x}}}]}|'a b' is not"
            + " the name of a kernel",
        "{job: j, steps: [{program: {file: a.cl, args: [m]}, size: [n], in: {a: {file: x, shape:"
            + " [n]}}}]}|program.args[0]: 'm' is neither",
        "{job: j, steps: [{program: p, size: [1]}]}|steps[0].size: needs named buffers",
        "{job: j, steps: [{program: p, name: a/b}]}|steps[0].name: a name has 1 to 64 characters",
        "{job: j, steps: {a: b}}|steps: must be a list",
        "{job: j, steps: [{program: noop, repeat: 0}]}|steps[0].repeat: must be a number from 1",
        "{job: j, steps: [{program: noop, repeat: 2, out: x}]}|a step with 'out' runs once",
        "{job: j, steps: [{program: noop, after: b}]}|is not an earlier step",
        "{job: j, steps: [{program: noop, in: [a, b]}]}|steps[0].in: must be one file, or name its"
            + " buffers",
        "{job: j, steps: [{program: noop, out: {format: png, file: a}}]}|'png' is not one of raw,"
            + " lines",
        "{job: j, steps: [{program: noop, out: {print: true}}]}|only 'format: lines' can be"
            + " printed",
        "{job: j, steps: [{program: noop, name: a}, {program: noop, name: a}]}|two steps of the"
            + " stream have the name 'a'",
        "{job: j, steps: [{program: p, stream: n}]}|steps[0].stream: needs named buffers",
        "{job: j, steps: [{program: p, in: {a: {}}}]}|in.a: needs one of 'file', 'from', 'values'",
        "{job: j, steps: [{program: p, in: {a: {file: x, type: u9}}}]}|in.a.type: 'u9' is not one"
            + " of u8, i8",
        "{job: j, steps: [{program: p, in: {a: {file: x, format: gif}}}]}|'gif' is not one of raw,"
            + " npy, png",
        "{job: j, steps: [{program: p, in: {a: {file: x, shape: [-1]}}}]}|'-1' is neither a name"
            + " nor",
        "{job: j, steps: [{program: p, in: {a: {values: [x], type: u8, shape: [1]}}}]}|values[0]:"
            + " 'x' is not a number",
        "{job: j, steps: [{program: p, in: {a: {from: b.c}}}]}|no step 'main/b' exists",
        "{job: j, steps: [{program: p, in: {a: {file: x}}, out: {b: {file: y}}}]}|out.b: needs"
            + " 'type' and 'shape'",
        "{job: j, steps: [{program: p, in: {a: {file: x}}, out: {a: {type: u8}}}]}|is changed in"
            + " place",
        "{job: j, steps: [{program: p, in: {a: {file: x}}, out: {b: {type: u8, shape: [n]}}}]}|'n'"
            + " is neither a number",
        "{job: j, steps: [{program: p, stream: n, in: {a: {file: x, type: u8, shape: [m]}}}]}|'n'"
            + " is not an extent",
        "{job: j, steps: [{program: p, stream: n, in: {a: {file: x, type: u8, shape: [n]}}, out:"
            + " {b: {type: u8, shape: [2]}}}]}|must have 'n' as its first extent",
        "{job: j, steps: [{program: p, stream: n, in: {a: {file: x, type: u8, shape: [n,"
            + " n]}}}]}|only the first extent",
        "{job: j, steps: [{program: p, in: {a: {file: x}}, out: {a: {merge: ascending}}}]}|'merge'"
            + " needs 'stream'",
        "{job: j, steps: [{program: p, in: {a: {file: x}}, out: {a: {expect: {reference:"
            + " sort}}}}]}|unknown key; allowed here: value, file",
        "{job: j, steps: [{program: p, in: {a: {file: x}}, out: {a: {expect: {}}}}]}|needs either"
            + " 'value' or 'file'",
        "{job: j, steps: [{program: p, in: {a: {file: x}}, out: {a: {expect: {value: a, file:"
            + " x}}}}]}|needs either 'value' or 'file'",
        "{job: j, steps: [{program: p, in: {a: {file: x}}, out: {a: {expect: {value: 2 *"
            + " b}}}}]}|expect.value: 'b' is neither a number nor one of a",
        "{job: j, steps: [{program: p, stream: n, in: {a: {file: x, type: u8, shape: [n]}, b:"
            + " {file: y, shape: [m]}}, out: {a: {expect: {value: a + b}}}}]}|expect.value: 'b' is"
            + " the same for each piece",
        "{job: j, steps: [{program: p, in: {a: {file: x}}, args: [b]}]}|args[0]: 'b' is neither a"
            + " number",
        "{job: j, steps: [{program: p, in: {a: {file: x}}, verify: true}]}|use 'expect'",
        "{job: j, streams: [{name: a, steps: [{program: p, name: s, after: b/t}]}, {name: b, steps:"
            + " [{program: p, name: t, after: a/s}]}]}|in a cycle",
        "{job: j, streams: [{name: a, steps: [{program: p}]}, {name: a, steps: [{program:"
            + " p}]}]}|two streams have the name 'a'",
        "{job: j, streams: [{name: a-b, steps: [{program: p}]}, {name: a_b, steps: [{program:"
            + " p}]}]}|streams[1].name: claims name the streams 'a-b' and 'a_b' alike",
        "{job: j, streams: [{group: Fast, steps: [{program: noop}]}]}|a group's name has 1 to 32",
        "{job: j, streams: [{priority: top, steps: [{program: noop}]}]}|not one of"
            + " background, normal",
        "{job: j, device: GPU, steps: [{program: noop}]}|device: 'GPU' is neither",
        "{job: j, device: {memory: lots}, steps: [{program: noop}]}|device.memory: must be a"
            + " number",
        "{job: j, setup: {groups: {Q: {}}}, steps: [{program: noop}]}|setup.groups.Q: a group's"
            + " name has 1 to 32",
        "{job: j, setup: {groups: {default: {}}}, steps: [{program: noop}]}|always exists",
        "{job: j, setup: {groups: {q: {A: 1}}}, steps: [{program: noop}]}|q.A: is not a valid"
            + " key of a group",
        "{job: j, setup: {groups: {q: {parent: 'a b'}}}, steps: [{program: noop}]}|q: parent: 'a"
            + " b'",
        "{job: j, setup: {settings: {io.isle.group-q: {}}}, steps: [{program: noop}]}|go to"
            + " 'devices', those of groups to 'groups'",
        "{job: j, steps: [{program: noop, for: 5}]}|steps[0].for: must be a time such as 5s",
        "{job: j, steps: [{program: noop, for: 25000h}]}|from 1ns to 86400s",
        "{job: j, steps: [{program: noop, for: 1s, repeat: 2}]}|steps[0].for: takes the place of",
        "{job: j, steps: [{program: sha256, in: a, out: b, for: 1s}]}|steps[0].for: a step with",
        "{job: j, steps: [{program: noop, period: 1ms}]}|steps[0].period: needs 'for'",
        "{job: j, steps: [{program: noop, period: 1us, for: 1s}]}|from 100us to",
        "{job: j, steps: [{program: noop, period: 100us, for: 1000s}]}|makes 10000000 submissions",
        "{job: j, steps: [{program: copy, in: a, period: 1ms, for: 1s}]}|without 'in'",
        "{job: j, steps: [{program: noop, depth: 2, period: 1ms, for: 1s}]}|cannot be used"
            + " together with 'period'",
        "{job: j, steps: [{program: noop, depth: 49}]}|steps[0].depth: must be a whole number from"
            + " 1",
        "{job: j, steps: [{program: p, depth: 2, in: {a: {file: x}}}]}|without named buffers",
        "{job: j, steps: [{program: noop, piece: 1MiB}]}|steps[0].piece: needs 'in'",
        "{job: j, steps: [{program: copy, in: a, piece: 0}]}|must be a number of bytes from 1",
        "{job: j, steps: [{program: copy, in: a, piece: []}]}|needs at least one size",
        "{job: j, steps: [{program: noop, hold: -1}]}|steps[0].hold: must be a number of bytes",
        "{job: j, steps: [{program: noop, barrier: a b}]}|steps[0].barrier: a name has",
        "{job: j, steps: [{program: noop, barrier: b}, {program: noop, barrier: b}]}|in a cycle",
        "{job: j, streams: [{name: a, steps: [{program: p, name: s, barrier: b}]}, {name: b, steps:"
            + " [{program: p, barrier: b, after: a/s}]}]}|in a cycle",
        "{job: j, timeline: x, steps: [{program: noop}]}|timeline: needs a step with a 'barrier'",
        "{job: j, streams: [{guarantee: 5, steps: [{program: noop}]}]}|must be QUOTA_US PERIOD_US",
        "{job: j, streams: [{guarantee: 5 4, steps: [{program: noop}]}]}|from 1 to the period, 4",
        "{job: j, streams: [{when: x, steps: [{program: noop}]}]}|must be a comparison such as",
        "{job: j, streams: [{when: a == b, steps: [{program: noop}]}]}|needs at least one stream",
        "{job: j, params: {a: {type: int, choices: [1]}}}|only a parameter of the type string",
        "{job: j, params: {a: {type: string, choices: []}}}|needs at least one",
        "{job: j, params: {a: {type: string, choices: [b, c], default: d}}}|'d' is not one of b, c",
        "{job: '${1 / 0}', steps: [{program: noop}]}|${1 / 0}: a division by zero",
        "{job: '${1 +}', steps: [{program: noop}]}|neither a number",
        "{job: j, setup: {devices: {soft7: {driver: sim}}}, steps: [{program: noop}]}|belongs to"
            + " the driver soft",
        "{job: j, setup: {settings: {io.isle.device-soft0: {}}}, steps: [{program: noop}]}|go to"
            + " 'devices'",
        "{job: j, setup: {settings: {org.x: {}}}, steps: [{program: noop}]}|only settings of"
            + " io.isle",
        "{job: j, steps: [{program: noop}], faults: [{device: soft0, fault: hang}]}|only on devices"
            + " that 'setup' makes",
        "{job: j, setup: {devices: {soft7: {}}}, steps: [{program: noop}], faults: [{device: soft7,"
            + " fault: melt}]}|'melt' is not one of abort",
        "{job: j, setup: {devices: {soft7: {}}}, steps: [{program: noop}], faults: [{device: soft7,"
            + " fault: kill, after: 1, after_ms: 2}]}|takes only one of 'after'",
        "{job: j, setup: {devices: {soft7: {}}}, steps: [{program: noop}], faults: [{device: soft7,"
            + " fault: kill, count: 0}]}|must be a number from 1 to 1000000",
        "{job: j, retries: -1, steps: [{program: noop}]}|retries: must be a whole number from 0 to"
            + " 1000",
        "{job: j, recovery_timeout_ms: 0, steps: [{program: noop}]}|recovery_timeout_ms: must be a"
            + " whole",
        "{job: j, streams: [{max_execution_us: 0, steps: [{program: noop}]}]}|max_execution_us:"
            + " must be",
        "{job: j, steps: [{program: noop, verify: maybe}]}|steps[0].verify: must be true or false",
        "{job: j, steps: [{program: noop}], claims: [{name: a, value: 1, goal: 2}]}|must begin with"
            + " ==",
        "{job: j, steps: [{program: noop}], claims: [{name: a, value: x, goal: '> 2'}]}|'x' is"
            + " neither a number",
        "{job: j, steps: [{program: noop}], claims: [{name: a, value: (1, goal: '> 2'}]}|')'"
            + " expected",
        "{job: j, params: {a: {type: path}}}|'path' is not one of file, out",
        "{job: j, params: {a: {default: 1}}}|params.a: needs a type",
        "{job: j, params: {a: {type: int, default: x}}}|params.a.default: 'x' is not a whole"
            + " number",
        "{job: j, params: {1a: {type: int}}}|a parameter's name",
        "{job: '${x}', steps: [{program: noop}]}|unknown parameter",
        "{job: '${x', steps: [{program: noop}]}|without '}'",
        "{job: &a j, steps: *a}|aliases",
        "[a, b]|must be a mapping",
        "{job: j, params: {a: {type: int}}, steps: [{program: noop}]}|give it with --set a=INT",
      })
  void refusesWithPlaceAndField(String text, String message) {
    JobException e = assertThrows(JobException.class, () -> parse(text, Map.of()));
    assertEquals(2, e.exitStatus());
    assertTrue(e.getMessage().startsWith("job.yml:1:"), e.getMessage());
    assertTrue(e.getMessage().contains(message), e.getMessage());
  }

  @Test
  void aMissingFileIsNoMistakeOfTheFile() {
    JobException e =
        assertThrows(JobException.class, () -> JobFile.read(Path.of("/nothing/job.yml")));
    assertEquals(1, e.exitStatus());
    assertTrue(e.getMessage().contains("the file does not exist"), e.getMessage());
  }

  private static JobSpec parse(String text, Map<String, String> given) {
    return JobParser.parse(
        JobFile.parse("job.yml", text.getBytes(StandardCharsets.UTF_8)),
        BASE,
        given,
        CALLER,
        Map.of(),
        Map.of());
  }
}
