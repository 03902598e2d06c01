package io.isle.apps.jobs;

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
import net.jqwik.api.constraints.IntRange;

/** Whatever happens to the device and whenever: the output is that of an undisturbed run. */
class RecoveryPropertyTest {
  private static final int BLOCK = 64 * 1024;

  @Property(tries = 60)
  void theOutputIsTheReferenceWithEachBlockOnce(
      @ForAll("plans") Map<Integer, Event> plan,
      @ForAll @IntRange(min = 0, max = 40 * BLOCK) int size,
      @ForAll boolean replay)
      throws Exception {
    Path folder = Files.createTempDirectory("isle-recovery");
    try {
      byte[] data = BlockhashTest.random(size);
      Files.write(folder.resolve("in"), data);
      // Memory for three pieces of few blocks: the input goes through in many.
      Harness harness = new Harness(3 * (5L * BLOCK + 16 * 1024));
      harness.device.signal = FakeAccelerator.SIGKILL;
      plan.forEach(harness.device.plan::at);
      JobResult result =
          harness.run(
              Files.writeString(
                  folder.resolve("job.yml"),
                  "job: j\nretries: 1000\nsteps: [{program: sha256, in: in, args: [64KiB], verify:"
                      + " true, replay: "
                      + replay
                      + ", out: {file: out, format: lines}}]"),
              folder,
              Map.of());
      assertEquals(JobState.DONE, result.state(), result.error());
      assertEquals(0, result.survival().wrong());
      assertEquals(size, result.bytes());
      assertEquals(BlockhashTest.expected(data, BLOCK), Files.readString(folder.resolve("out")));
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
    for (String name : new String[] {"in", "out", "job.yml"}) {
      Files.deleteIfExists(folder.resolve(name));
    }
    Files.delete(folder);
  }
}
