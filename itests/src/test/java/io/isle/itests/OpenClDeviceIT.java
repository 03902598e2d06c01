package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** OpenCL devices as users see them, on machines that have one and on those that have none. */
@ExtendWith(Platform.class)
class OpenClDeviceIT {
  @Test
  void thereIsADeviceOrALineThatSaysWhyNot() throws Exception {
    String list = Platform.sh("device:list").succeeded().out();
    boolean device = list.contains("opencl0");
    boolean line = list.contains("driver opencl has no device: ");
    assertTrue(device != line, list);
    assertEquals(device, Devices.exists("opencl0"));
    assertTrue(Platform.isle("doctor").succeeded().out().contains(" opencl "));
  }

  @Test
  void whatItBuildsOutlivesTheInstance() throws Exception {
    assumeTrue(
        Devices.exists("opencl0"), "there is no OpenCL device: apt-get install pocl-opencl-icd");
    Devices.awaitState("opencl0", "active");
    // a report cuts long details
    String folder = "cache-folder: applied (" + Platform.STATE.toRealPath().resolve("caches");
    String shown = folder.substring(0, Math.min(folder.length(), 80));
    JsonNode sandbox = Devices.info("opencl0").get("sandbox");
    assertTrue(
        StreamSupport.stream(sandbox.spliterator(), false)
            .anyMatch(line -> line.asText().startsWith(shown)),
        () -> shown + " is not in " + sandbox);
  }
}
