package io.isle.fabric.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.isle.api.base.Errno;
import io.isle.api.fabric.Dialect;
import io.isle.api.fabric.RingException;
import io.isle.api.fabric.RingPlan;
import io.isle.api.jobs.ActionValues;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Events on a ring with a real process behind a node. */
@Timeout(60)
class RingEventsTest {
  private static final RingPlan RING =
      new RingPlan("demo", 3, "tcp", 3, Map.of(), Map.of("process", "own"));
  private static final int KILLED = 128 + 9;

  private final FakeRings rings = new FakeRings("tcp", Dialect.ISLE);
  private final FakeBundles framework = new FakeBundles();
  private final Drives drives = new Drives();
  private final RingEvents events =
      new RingEvents(rings, rings.relays, drives, framework.bundles());
  private Process process;

  private void happen(String event, Map<String, String> values) throws InterruptedException {
    events.happen(RING, event, new ActionValues(values));
  }

  private void start() throws IOException {
    process = new ProcessBuilder("sleep", "3600").start();
    rings.pids.put("demo-1", process.pid());
  }

  @AfterEach
  void end() {
    if (process != null) {
      Process ignored = process.destroyForcibly();
    }
  }

  /** A letter, such as T for stopped. */
  private char state() throws IOException {
    String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
    return stat.charAt(stat.lastIndexOf(')') + 2);
  }

  private List<String> faults() {
    return drives.faults("demo").stream().map(one -> one.fault() + " " + one.nodes()).toList();
  }

  @Test
  void aKillEndsTheProcessOfTheNode() throws Exception {
    start();
    long before = System.nanoTime();
    happen("kill", Map.of("node", "demo-1"));
    assertEquals(KILLED, process.waitFor());
    assertEquals(List.of("kill [demo-1]"), faults());
    long at = drives.faults("demo").getFirst().ns();
    assertEquals(1, Long.signum(at - before));
  }

  @Test
  void aHangStopsTheProcessUntilItsEndOrTheEndOfTheJob() throws Exception {
    start();
    Thread job =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    happen("hang", Map.of("node", "demo-1", "for_ms", "600000"));
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                });
    while (state() != 'T') {
      Thread.onSpinWait();
    }
    while (faults().isEmpty()) {
      Thread.onSpinWait();
    }
    job.interrupt();
    job.join();
    assertNotEquals('T', state());
    assertEquals(List.of("hang [demo-1]"), faults());

    happen("hang", Map.of("node", "demo-1", "for_ms", "1"));
    assertNotEquals('T', state());
    assertEquals(2, faults().size());
  }

  @Test
  void aNodeInThePlatformIsNotKilled() {
    RingException refused =
        assertThrows(RingException.class, () -> happen("kill", Map.of("node", "demo-2")));
    assertEquals(Errno.EPERM, refused.code());
    assertEquals("demo-2: runs in the platform's process", refused.getMessage());
    assertEquals(List.of(), faults());
  }

  @Test
  void aCutNamesTheNodesAtBothEnds() throws Exception {
    happen("cut", Map.of("node", "demo-2", "for_ms", "0"));
    assertEquals(List.of("cut [demo-2, demo-0]"), faults());
  }

  @Test
  void aSwitchMovesANodeOrAll() throws Exception {
    happen("switch", Map.of("transport", "shm", "node", "demo-1"));
    happen("switch", Map.of("transport", "udp"));
    assertEquals(
        List.of("move demo-1 shm", "move demo-0 udp", "move demo-1 udp", "move demo-2 udp"),
        rings.calls);
  }

  @Test
  void aRestartUpdatesTheBundleOfTheTransport() throws Exception {
    happen("restart", Map.of("transport", "tcp"));
    assertEquals(List.of("fake.tcp"), framework.updates);
  }
}
