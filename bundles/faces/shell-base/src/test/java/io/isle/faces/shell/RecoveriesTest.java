package io.isle.faces.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.device.Recovery;
import io.isle.api.device.Recovery.Phase;
import io.isle.api.device.Recovery.PhaseTime;
import io.isle.api.device.RecoveryCause;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecoveriesTest {
  private static final Recovery TWICE_OPENED =
      new Recovery(
          "soft0",
          7,
          new RecoveryCause(RecoveryCause.Kind.CRASH, "killed by SIGSEGV"),
          1_700_000_000_123L,
          4,
          6,
          2,
          true,
          Recovery.Outcome.RECOVERED,
          List.of(
              new PhaseTime(Phase.FREEZE, 10),
              new PhaseTime(Phase.OPEN, 1000),
              new PhaseTime(Phase.OPEN, 500)),
          9_000_000,
          new Recovery.Work(1, 2, 3, 4, 5, 6));

  @Test
  void jsonHasFlatFieldsWithThePhasesOfAllAttemptsSummed() {
    assertEquals(
        "{\"device\":\"soft0\",\"number\":7,\"started\":\"2023-11-14T22:13:20.123Z\","
            + "\"cause\":\"crash\",\"outcome\":\"recovered\",\"total_ns\":9000000,\"attempts\":2,"
            + "\"standby\":true,\"from_epoch\":4,\"to_epoch\":6,\"contexts\":1,\"interrupted\":2,"
            + "\"kept\":3,\"replayed\":4,\"restored\":5,\"lost\":6,\"drain_ns\":null,"
            + "\"freeze_ns\":10,\"fail_ns\":null,\"revoke_ns\":null,\"reset_ns\":null,"
            + "\"open_ns\":1500,\"rebuild_ns\":null,\"thaw_ns\":null,"
            + "\"group\":null,\"text\":\"killed by SIGSEGV\"}",
        Json.text(Recoveries.table().object(TWICE_OPENED)));
  }

  /** Even with the longest that each may hold, but for the group's name. */
  @Test
  void aRowFitsInto120Columns() {
    Recovery long1 =
        new Recovery(
            "opencl123456",
            9999,
            new RecoveryCause(RecoveryCause.Kind.PROTOCOL, "x".repeat(200)),
            1_700_000_000_123L,
            4,
            6,
            200,
            true,
            Recovery.Outcome.QUARANTINED,
            List.of(new PhaseTime(Phase.FREEZE, 10)),
            999_900_000,
            new Recovery.Work(1000, 1000, 1000, 1000, 1000, 1000));
    for (String line : Recoveries.table().lines(List.of(TWICE_OPENED, long1), 0)) {
      assertTrue(line.length() <= 120, line.length() + ": " + line);
    }
    String row = Recoveries.table().lines(List.of(TWICE_OPENED), 0).get(1);
    assertTrue(row.contains("2023-11-14 22:13:20  crash  recovered  9.0 ms"), row);
  }

  @Test
  void itsDetailsHaveTheCauseAndThePhasesWithTheirTimes() {
    List<String> details = Recoveries.details(TWICE_OPENED);
    assertTrue(details.contains("text            killed by SIGSEGV"), details::toString);
    assertTrue(details.contains("open            1.5 us"), details::toString);
    assertTrue(details.contains("standby         true"), details::toString);
    assertTrue(details.stream().noneMatch(line -> line.startsWith("thaw")), details::toString);
  }
}
