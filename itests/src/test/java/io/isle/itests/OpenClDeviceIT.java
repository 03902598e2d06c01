package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.awt.image.BufferedImage;
import java.awt.image.Raster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.StreamSupport;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** OpenCL devices as users see them, on machines that have one and on those that have none. */
@ExtendWith(Platform.class)
class OpenClDeviceIT {
  @TempDir Path folder;

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

  @Test
  void aSecondDeviceOfTheHardwareRunsJobsInSharedVirtualMemory() throws Exception {
    assumeTrue(Devices.exists("opencl0"), "there is no OpenCL device");
    Devices.awaitState("opencl0", "active");
    JsonNode first = Devices.info("opencl0").get("properties");
    assertEquals("false", first.get("unified-addressing").asText());
    Devices.configure(
        "opencl7", "driver = opencl", "device = " + first.get("seed").asText(), "memory = svm");
    Devices.awaitState("opencl7", "active");
    assertEquals(
        "true", Devices.info("opencl7").get("properties").get("unified-addressing").asText());
    Path image = folder.resolve("in.png");
    Raster before = Arrays.image(image, 31, 17, BufferedImage.TYPE_3BYTE_BGR).getRaster();
    Platform.isle(
            "run",
            Platform.root().resolve("examples/blur/job.yml").toString(),
            "--set",
            "input=" + image,
            "--set",
            "output=" + folder.resolve("out.png"),
            "--set",
            "device=opencl7")
        .succeeded();
    Raster after = ImageIO.read(folder.resolve("out.png").toFile()).getRaster();
    assertArrayEquals(BlurIT.blurred(before), after.getPixels(0, 0, 31, 17, (int[]) null));
    Files.delete(Devices.settings("opencl7"));
    Awaiting.await("opencl7 is gone", () -> !Devices.exists("opencl7"));
  }
}
