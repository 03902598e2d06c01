package io.isle.net.xdp.bpf;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.isle.api.net.NetException;

/** What this process may do. */
public final class Rights {
  private Rights() {}

  /** Skips the test where the kernel refuses maps, with the reason. */
  public static void assumeBpf() {
    String refusal = "";
    try (XskMap map = new XskMap(1)) {
      refusal = map.entries() == 1 ? "" : "the map has no entry";
    } catch (NetException e) {
      refusal = e.getMessage();
    }
    assumeTrue(refusal.isEmpty(), "eBPF is not possible here: " + refusal);
  }
}
