package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The device of handlers of packets as users see it, on machines with and without one. */
@ExtendWith(Platform.class)
class SpinDeviceIT {
  @Test
  void thereIsADeviceOrALineThatSaysWhyNot() throws Exception {
    String list = Platform.sh("device:list").succeeded().out();
    boolean device = list.contains("spin0");
    boolean line = list.contains("driver spin has no device: handlers run on x86-64 only");
    assertTrue(device != line, list);
    assertEquals(device, Devices.exists("spin0"));
    assertTrue(Platform.isle("doctor").succeeded().out().contains(" spin-cc "));
  }

  @Test
  void theProcessOfThePlatformRunsNoHandlers() throws Exception {
    assumeTrue(Devices.exists("spin0"), "there is no device of handlers");
    Devices.configure("spin7", "driver = spin", "tier = 1");
    Devices.awaitState("spin7", "failed");
    String error = Devices.info("spin7").get("error").asText();
    assertTrue(error.contains("tier: ") && error.contains("set tier=2"), error);
    Devices.configure("spin7", "driver = spin", "tier = 2");
    Devices.awaitState("spin7", "active");
    Files.delete(Devices.settings("spin7"));
    Awaiting.await("spin7 is gone", () -> !Devices.exists("spin7"));
  }
}
