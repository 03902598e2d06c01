package io.isle.spin.jobs.ping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.isle.lib.net.ping.PingTally;
import io.isle.spin.jobs.FakeStep;
import io.isle.spin.jobs.ping.place.PingProtocol;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PingTableTest {
  private static List<PingRow> rows() {
    double[] medians = new double[20];
    Arrays.setAll(medians, i -> 50_000 + 100 * i);
    double[] few = {Double.NaN, 7000};
    return List.of(
        PingRow.of(
            PingProtocol.ICMP,
            PingMode.OFFLOADED,
            1,
            16,
            medians,
            new PingTally(200, 200, 0, 0, 0)),
        PingRow.of(PingProtocol.UDP, PingMode.HOST, 2, 1472, few, new PingTally(20, 9, 11, 2, 3)));
  }

  @Test
  void aLineForEachRow() {
    assertEquals(
        List.of(
            "protocol  mode       bytes  median us     95 % interval us  answered   lost  repeated  wrong",
            "icmp      offloaded     16       51.0          50.5 - 51.4       200      0         0      0",
            "udp       host        1472        7.0                ? - ?         9     11         2      3"),
        PingTable.lines(rows()));
  }

  @Test
  void aFileHasTheSame() {
    assertEquals(
        """
        protocol,mode,bytes,runs,median_ns,low_ns,high_ns,sent,answered,lost,repeated,wrong
        icmp,offloaded,16,20,50950,50500,51400,200,200,0,0,0
        udp,host,1472,1,7000,,,20,9,11,2,3
        """,
        PingTable.csv(rows()));
  }

  @Test
  void measuresOfRowsThatAreThere() {
    FakeStep step = new FakeStep(List.of(), Map.of());
    PingMeasures.set(step, rows(), true);
    assertEquals(50_950, step.measures.get("icmp_offloaded_1_ns"));
    assertEquals(50_500, step.measures.get("icmp_offloaded_1_low_ns"));
    assertEquals(7000, step.measures.get("udp_host_2_ns"));
    assertFalse(step.measures.containsKey("udp_host_2_low_ns"), "too few runs");
    assertEquals(1, step.measures.get("runs"), "the fewest");
    assertEquals(209, step.measures.get("answered"));
    assertEquals(11, step.measures.get("lost"));
    assertEquals(2, step.measures.get("repeated"));
    assertEquals(3, step.measures.get("wrong"));
    assertEquals(1, step.measures.get("lab"));
    assertEquals(
        List.of(), step.measures.keySet().stream().filter(PingTableTest::unknown).toList());
  }

  private static boolean unknown(String measure) {
    return !PingMeasures.NAMES.contains(measure);
  }
}
