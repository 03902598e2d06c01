package io.isle.net.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.isle.api.net.NetCounter;
import io.isle.net.jobs.EchoMeasures.Happened;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EchoMeasuresTest {
  private static Losses losses(long noApp, long ringFull) {
    return Losses.of(
        List.of(
            new NetCounter("n", 0, "", "rx", "seen", 100),
            new NetCounter("n", 0, "", "rx", "no_app", noApp),
            new NetCounter("n", 1, "", "rx", "no_app", 1),
            new NetCounter("n", 0, "", "kernel", "tx_empty", 9),
            new NetCounter("n", 0, "", "tx", "ring_full", ringFull)));
  }

  private static EchoMeasures measures(Losses losses, Optional<CaptureCheck> capture) {
    return new EchoMeasures(
        10,
        10_000,
        2_000_000_000L,
        1,
        2,
        0,
        30_500_000,
        List.of(
            new Happened("update", 100_000_000, 200_000_000, 30_500_000),
            new Happened("update", 500_000_000, 100_000_000, 20_000_000)),
        losses,
        capture);
  }

  @Test
  void measuresAreThoseOfTheStep() {
    Losses since = losses(5, 3).since(losses(2, 3));
    EchoMeasures measures = measures(since, Optional.of(new CaptureCheck(20, 1, 0, 0)));
    Map<String, Double> values = measures.values();
    assertEquals(5, values.get("frames_per_s"));
    assertEquals(2, values.get("updates"));
    assertEquals(30_500_000, values.get("update_gap_ns"));
    assertEquals(0, values.get("kills"));
    assertFalse(values.containsKey("kill_gap_ns"), "unknown without a kill");
    assertEquals(3, values.get("dropped"));
    assertEquals(3, values.get("rx_no_app"));
    assertEquals(0, values.get("tx_ring_full"));
    assertEquals(1, values.get("capture_wrong"));
    values.keySet().forEach(name -> assertEquals(true, EchoMeasures.NAMES.contains(name), name));
  }

  @Test
  void theTableHasRatesEventsAndDrops() {
    Losses since = losses(5, 3).since(losses(2, 0));
    assertEquals(
        List.of(
            "net n: 10 datagrams, 5 /s, 0.01 MB/s, longest gap 30.5 ms, 1 lost, 2 sent again,"
                + " 0 wrong",
            "event      at           for          longest gap",
            "update     0.100 s      200.0 ms     30.5 ms",
            "update     0.500 s      100.0 ms     20.0 ms",
            "dropped 6, by reason:",
            "rx_no_app                         3",
            "tx_ring_full                      3"),
        measures(since, Optional.empty()).table("n"));
  }
}
