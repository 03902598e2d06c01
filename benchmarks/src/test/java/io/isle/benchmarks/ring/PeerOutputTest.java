package io.isle.benchmarks.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What is read of the output of peers. */
class PeerOutputTest {
  @Test
  void iperf3NamesTheRateOfTheServer() throws IOException {
    String json =
        """
        {"end": {
          "sum_sent": {"seconds": 1.0, "bits_per_second": 9e9},
          "sum_received": {"start": 0, "seconds": 1.0, "bits_per_second":	8.0e9, "packets": 3}}}
        """;
    assertEquals(1e9, Iperf3Peer.bytesPerSecond(json));
    assertThrows(
        IOException.class, () -> Iperf3Peer.bytesPerSecond("{\"error\": \"unable to connect\"}"));
  }

  @Test
  void ucxPrintsTheMeanOfTheWholeRunInTheFourthColumn() throws IOException {
    assertEquals(0.211, UcxPeer.microseconds("100000,0.190,0.205,0.211,289.1,289.1,4737,4737\n"));
    assertThrows(IOException.class, () -> UcxPeer.microseconds("no path\n"));
  }

  @Test
  void sockperfPrintsAFullRoundTrip() throws IOException {
    assertEquals(16_250, SockperfPeer.rtt("sockperf: ====> avg-rtt=16.250 (std-dev=1.1)\n"), 1e-6);
    assertThrows(IOException.class, () -> SockperfPeer.rtt("nothing"));
  }
}
