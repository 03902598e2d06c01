package io.isle.fabric.ring.health;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.isle.api.fabric.FailureCause;
import io.isle.api.fabric.NodeFailure;
import io.isle.api.fabric.RingRole;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which failures people are told of. */
class FailureLogTest {
  private static final long SECOND = 1_000_000_000L;

  private final List<String> told = new ArrayList<>();
  private final FailureLog master = log(RingRole.MASTER);
  private final FailureLog worker = log(RingRole.WORKER);

  private FailureLog log(RingRole role) {
    return new FailureLog(
        "ring", "me", role, (ring, teller, change) -> told.add(change.failure().node()));
  }

  private static FailureChange change(String node, boolean own, long endedNs) {
    return new FailureChange(
        new NodeFailure(
            node, "", FailureCause.RESET, 0, 0, 1, endedNs, List.of("a"), "why", "do this"),
        own);
  }

  @Test
  void aWorkerTellsWhatItReportsAndAMasterTellsAll() {
    worker.tell(change("far", false, 0), 1);
    worker.tell(change("near", true, 0), 1);
    master.tell(change("far", false, 0), 1);
    master.tell(change("far", false, 5), 1);
    assertEquals(List.of("near", "far", "far"), told);
  }

  @Test
  void aFailureThatComesAndGoesIsToldOnceInAWhile() {
    for (int i = 0; i < 200; i++) {
      master.tell(change("a", false, 0), i * SECOND / 10);
      master.tell(change("a", false, 5), i * SECOND / 10);
    }
    assertEquals(4, told.size(), "begin and end, twice in 20 s");
  }

  @Test
  void aFloodIsBounded() {
    for (int i = 0; i < 10_000; i++) {
      master.tell(change("n" + i, false, 0), i);
    }
    assertEquals(32, told.size());
    master.tell(change("later", false, 0), 11 * SECOND);
    assertEquals("later", told.getLast());
  }
}
