package io.isle.benchmarks.ring;

import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.fabric.ring.settings.PathAddress;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class FreeAddressTest {
  @Test
  void addressesOfAllTransportsAreValidAndDiffer() throws IOException {
    for (String transport : new String[] {"tcp", "udp", "shm"}) {
      String one = FreeAddress.of(transport);
      assertTrue(PathAddress.of(one).transport().equals(transport), one);
      assertNotEquals(one, FreeAddress.of(transport));
    }
  }
}
