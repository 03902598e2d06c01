package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.awt.image.BufferedImage;
import java.awt.image.Raster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The example that blurs an image. */
@ExtendWith(Platform.class)
class BlurIT {
  private static final String JOB = Platform.root().resolve("examples/blur/job.yml").toString();
  private static final int[] WEIGHTS = {1, 4, 6, 4, 1};

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "31, 17, " + BufferedImage.TYPE_3BYTE_BGR,
    "40, 3, " + BufferedImage.TYPE_BYTE_GRAY,
    "1, 5, " + BufferedImage.TYPE_4BYTE_ABGR
  })
  void everyPixelIsWhatTheDefinitionSays(int width, int height, int kind) throws Exception {
    Raster before = Arrays.image(folder.resolve("in.png"), width, height, kind).getRaster();
    run("device=soft0").succeeded();
    byte[] builtin = Files.readAllBytes(folder.resolve("out.png"));
    Raster after = ImageIO.read(folder.resolve("out.png").toFile()).getRaster();
    assertEquals(width, after.getWidth());
    assertEquals(height, after.getHeight());
    assertEquals(before.getNumBands(), after.getNumBands());
    int[] found = after.getPixels(0, 0, width, height, (int[]) null);
    assertArrayEquals(blurred(before), found);
    run().succeeded();
    assertArrayEquals(builtin, Files.readAllBytes(folder.resolve("out.png")));
  }

  /** A kernel is built once: what is kept of it stays the same file. */
  @Test
  void theKernelIsBuiltOnceWhereADeviceTakesOpenCl() throws Exception {
    assumeTrue(Devices.exists("opencl0"), "there is no OpenCL device");
    Arrays.image(folder.resolve("in.png"), 20, 30, BufferedImage.TYPE_3BYTE_BGR);
    JsonNode result = run("--json").succeeded().json();
    assertTrue(result.get("device").asText().startsWith("opencl"), result::toString);
    assertTrue(result.get("steps").get(0).get("build_ns").asLong() > 0, result::toString);
    Set<String> built = kept();
    assertFalse(built.isEmpty());
    run().succeeded();
    assertEquals(built, kept());
  }

  /** Names and inodes of built programs: one that is built again is another file. */
  private static Set<String> kept() {
    List<String> find =
        List.of(
            "find",
            Platform.STATE.toString(),
            "-path",
            "*/caches/io.isle.drivers.opencl/programs/*",
            "-type",
            "f",
            "-printf",
            "%p %i\\n");
    return Set.copyOf(Call.begin(Platform.root(), Map.of(), find).end().out().lines().toList());
  }

  static int[] blurred(Raster image) {
    int bands = image.getNumBands();
    int[] pixels = new int[image.getWidth() * image.getHeight() * bands];
    for (int i = 0; i < pixels.length; i++) {
      int x = i / bands % image.getWidth();
      int y = i / bands / image.getWidth();
      int sum = 0;
      for (int k = 0; k < 25; k++) {
        int column = Math.clamp(x + k % 5 - 2, 0, image.getWidth() - 1);
        int row = Math.clamp(y + k / 5 - 2, 0, image.getHeight() - 1);
        sum += WEIGHTS[k % 5] * WEIGHTS[k / 5] * image.getSample(column, row, i % bands);
      }
      pixels[i] = (sum + 128) / 256;
    }
    return pixels;
  }

  @Test
  void whatIsNoImageIsAClearError() throws Exception {
    Files.writeString(folder.resolve("in.png"), "no image");
    Platform.Result result = run().failed(1);
    assertTrue(result.err().contains("in.png: is not a PNG image"), result.err());
  }

  /**
   * @param more values of parameters, and options
   */
  private Platform.Result run(String... more) {
    List<String> words = new ArrayList<>(List.of("run", JOB));
    List<String> values = new ArrayList<>(List.of(more));
    values.add("input=" + folder.resolve("in.png"));
    values.add("output=" + folder.resolve("out.png"));
    for (String value : values) {
      words.addAll(value.startsWith("--") ? List.of(value) : List.of("--set", value));
    }
    return Platform.isle(words.toArray(String[]::new));
  }
}
