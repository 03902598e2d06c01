package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A device's settings file is dropped, edited well and badly, and deleted, while everything runs.
 */
@ExtendWith(Platform.class)
class DeviceSettingsIT {
  private static final String ID = "soft7";

  @Test
  void theFileIsTheDevice() throws Exception {
    Devices.configure(ID, "driver = soft", "tier = 2", "memory_bytes = 16m");
    Devices.awaitState(ID, "active");
    assertEquals(16 << 20, memory());

    Devices.configure(ID, "driver = soft", "tier = 2", "memory_bytes = 32m");
    Awaiting.await("32 MiB are in force", () -> memory() == 32 << 20);

    Devices.configure(ID, "driver = soft", "tier = 2", "memory_bytes = -5");
    Awaiting.await("the refusal is told", () -> error().contains("memory_bytes"));
    assertEquals(32 << 20, memory(), "the last good settings stay in force");
    assertEquals("active", Devices.info(ID).get("state").asText());

    Files.delete(Devices.settings(ID));
    Awaiting.await(ID + " is gone", () -> !Devices.exists(ID));
    assertTrue(Devices.exists("soft0"));
  }

  private static long memory() throws Exception {
    return Devices.info(ID).get("memory_bytes").asLong();
  }

  private static String error() throws Exception {
    JsonNode error = Devices.info(ID).get("error");
    return error.isNull() ? "" : error.asText();
  }
}
