package io.isle.fabric.jobs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.fabric.Dialect;
import io.isle.api.jobs.JobException;
import io.isle.core.testing.FakeStep;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class RingStepTest {
  private static final int BYTES = 16;
  private static final int PAYLOAD = 8;

  private final Drives drives = new Drives();

  private static byte[] random(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  private static FakeStep step(byte[] file, Map<String, String> values) {
    return new FakeStep(new RingAction(null, null), file, values);
  }

  @Test
  void aFileGoesRoundAndItsRepliesAreWritten() throws Exception {
    byte[] file = random(10 * PAYLOAD + 3);
    FakeStep step = step(file, Map.of("name", "demo", "out", "o", "no_reply", "2"));
    EchoRing ring = new EchoRing(Dialect.ISLE, BYTES);
    new RingStep(ring, drives, step).run();
    byte[] replies = step.out.toByteArray();
    assertArrayEquals(Arrays.copyOfRange(file, 2 * PAYLOAD, file.length), replies);
    assertEquals(9, step.measures.get("frames"), "replies");
    assertEquals(0, step.measures.get("lost"));
    assertFalse(step.measures.containsKey("wrong"));
    assertTrue(ring.closed);
  }

  @Test
  void aStepGoesOnUntilTheScheduleIsOverAndCanBeResizedMeanwhile() throws Exception {
    byte[] file = random(3 * PAYLOAD);
    FakeStep step = step(file, Map.of("name", "demo-0", "out", "o", "until", "faults"));
    step.scheduleOver = false;
    EchoRing ring = new EchoRing(Dialect.ISLE, BYTES);
    Thread events =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    drives.await("demo").resize(List.of(1, 3));
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  } finally {
                    step.scheduleOver = true;
                  }
                });
    new RingStep(ring, drives, step).run();
    events.join();
    assertEquals(List.of(List.of(1, 3)), ring.resizes);
    assertArrayEquals(file, step.out.toByteArray());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ISLE | 16    | name=none              | 'none' is no master, and no ring with a master on this platform; see ring:list
          ISLE | 8     | name=demo              | demo-0: packets of 8 bytes have no payload
          ISLE | 18    | name=demo,verify=mix   | verify: mix needs all workers, and their layers on end: demo-1 has the stage pass
          LEAP | 16    | name=demo,pos=49374    | demo-0: pos: 49374 is not below 49374; set pos_max
          ISLE | 65544 | name=demo,window=65536 | demo-0: window: 65536 packets need
          """)
  void impossibleStepsAreRefused(Dialect dialect, int bytes, String given, String message) {
    Map<String, String> values = new HashMap<>();
    for (String one : given.split(",", -1)) {
      values.put(one.substring(0, one.indexOf('=')), one.substring(one.indexOf('=') + 1));
    }
    FakeStep step = step(random(4), values);
    RingStep run = new RingStep(new EchoRing(dialect, bytes), drives, step);
    JobException refused = assertThrows(JobException.class, run::run);
    assertTrue(refused.getMessage().startsWith(message), refused.getMessage());
  }
}
