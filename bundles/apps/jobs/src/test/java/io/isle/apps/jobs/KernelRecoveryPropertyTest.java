package io.isle.apps.jobs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.api.accel.ProgramKind;
import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.JobState;
import io.isle.apps.jobs.FakePlan.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/**
 * Whatever happens to the device and whenever: kernels that add to their outputs and destroy their
 * inputs find the outputs as they begin, and the inputs as they were.
 */
class KernelRecoveryPropertyTest {
  private static final String STEPS =
      """
      job: j
      retries: 1000
      steps:
        - name: consume
          program: {file: k.cl, kernel: consume}
          in: {x: {file: x, type: f32, shape: [n]}}
          out: {y: {type: f32, shape: [n], initial: 9, expect: {value: 2 * x}}}
          args: [n]
          size: [n]
          repeat: %1$d
        - name: add
          program: {file: k.cl, kernel: accumulate}
          in: {y: {from: consume.y, shape: [n]}}
          out: {z: {file: z, type: f32, shape: [n], initial: x}}
          args: [n]
          size: [n]
          repeat: %1$d
        - name: again
          program: {file: k.cl, kernel: consume}
          in: {y: {from: consume.y, shape: [n]}}
          out: {w: {file: w, type: f32, shape: [n]}}
          args: [n]
          size: [n]
        - name: pieces
          program: {file: k.cl, kernel: accumulate}
          stream: n
          in: {x: {file: long, type: f32, shape: [n]}}
          out: {y: {type: f32, shape: [n], initial: -0.5, expect: {value: x - 0.5}}}
          args: [n]
          size: [n]
        - name: shared
          program: {file: k.cl, kernel: table}
          stream: n
          in: {x: {file: long, type: f32, shape: [n]}, t: {values: [7], type: f32, shape: [m]}}
          out: {y: {type: f32, shape: [n], expect: {value: x + 7}}}
          args: [n]
          size: [n]
      """;

  @Property(tries = 60)
  void theOutputsAreThoseOfAnUndisturbedRun(
      @ForAll("plans") Map<Integer, Event> plan,
      @ForAll @IntRange(min = 1, max = 3) int repeat,
      @ForAll boolean staging)
      throws Exception {
    Path folder = Files.createTempDirectory("isle-kernels");
    try {
      Files.writeString(folder.resolve("k.cl"), "consume\naccumulate\ntable\n");
      Files.write(folder.resolve("x"), Numbers32.raw(3, 1, 2));
      Files.write(folder.resolve("long"), Numbers32.raw(Numbers32.count(20_000)));
      Harness harness = new Harness(100_000);
      harness.device.kinds = EnumSet.of(ProgramKind.BUILTIN, ProgramKind.OPENCL_C);
      harness.device.staging = staging;
      harness.device.signal = FakeAccelerator.SIGKILL;
      plan.forEach(harness.device.plan::at);
      Path job = Files.writeString(folder.resolve("job.yml"), STEPS.formatted(repeat));
      JobResult result = harness.run(job, folder, Map.of());
      assertEquals(JobState.DONE, result.state(), result.error());
      assertArrayEquals(Numbers32.raw(9, 3, 6), Files.readAllBytes(folder.resolve("z")));
      assertArrayEquals(Numbers32.raw(12, 4, 8), Files.readAllBytes(folder.resolve("w")));
      harness.assertNothingLeft();
    } finally {
      delete(folder);
    }
  }

  @Provide
  Arbitrary<Map<Integer, Event>> plans() {
    return Arbitraries.maps(Arbitraries.integers().between(1, 30), Arbitraries.of(Event.class))
        .ofMaxSize(12)
        .map(TreeMap::new);
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
