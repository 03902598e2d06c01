package io.isle.apps.jobs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.api.jobs.JobResult;
import io.isle.api.jobs.JobState;
import io.isle.apps.jobs.FakePlan.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whatever happens to the device and whenever: steps that hand buffers on make the same. */
class NamedRecoveryPropertyTest {
  private static final String STEPS =
      """
      job: j
      retries: 1000
      steps:
        - name: double
          program: scale-f32
          in: {x: {file: x, type: f32, shape: [n]}}
          out: {y: {type: f32, shape: [n]}}
          args: [2, n]
        - name: sort
          program: sort
          in: {y: {from: double.y}}
          out: {y: {}}
          args: [y, y.kind]
        - name: triple
          program: scale-f32
          in: {y: {from: sort.y, shape: [n]}}
          out: {z: {file: z, type: f32, shape: [n], expect: {file: want}}}
          args: [3, n]
        - name: original
          program: scale-f32
          in: {y: {from: double.y, shape: [n]}}
          out: {z: {file: original, type: f32, shape: [n]}}
          args: [1, n]
        - name: stream
          program: scale-f32
          stream: n
          in: {x: {file: long, type: f32, shape: [n]}}
          out: {x: {file: streamed}}
          args: [x, 2, x, n]
      """;

  @Property(tries = 60)
  void theOutputsAreThoseOfAnUndisturbedRun(@ForAll("plans") Map<Integer, Event> plan)
      throws Exception {
    Path folder = Files.createTempDirectory("isle-recovery");
    try {
      float[] values = Numbers32.count(20_000);
      Files.write(folder.resolve("x"), Numbers32.raw(3, 1, 2));
      Files.write(folder.resolve("long"), Numbers32.raw(values));
      Files.write(folder.resolve("want"), Numbers32.raw(6, 12, 18));
      Harness harness = new Harness(100_000);
      harness.device.signal = FakeAccelerator.SIGKILL;
      plan.forEach(harness.device.plan::at);
      JobResult result =
          harness.run(Files.writeString(folder.resolve("job.yml"), STEPS), folder, Map.of());
      assertEquals(JobState.DONE, result.state(), result.error());
      assertArrayEquals(Numbers32.raw(6, 12, 18), Files.readAllBytes(folder.resolve("z")));
      assertArrayEquals(Numbers32.raw(6, 2, 4), Files.readAllBytes(folder.resolve("original")));
      assertArrayEquals(twice(values), Files.readAllBytes(folder.resolve("streamed")));
      harness.assertNothingLeft();
    } finally {
      delete(folder);
    }
  }

  private static byte[] twice(float[] values) {
    float[] twice = values.clone();
    for (int i = 0; i < twice.length; i++) {
      twice[i] *= 2;
    }
    return Numbers32.raw(twice);
  }

  @Provide
  Arbitrary<Map<Integer, Event>> plans() {
    return Arbitraries.maps(Arbitraries.integers().between(1, 20), Arbitraries.of(Event.class))
        .ofMaxSize(10)
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
