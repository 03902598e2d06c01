package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.awt.image.Raster;
import java.nio.file.Files;
import java.nio.file.Path;
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
    run("check=blur").succeeded();
    Raster after = ImageIO.read(folder.resolve("out.png").toFile()).getRaster();
    assertEquals(width, after.getWidth());
    assertEquals(height, after.getHeight());
    assertEquals(before.getNumBands(), after.getNumBands());
    int[] found = after.getPixels(0, 0, width, height, (int[]) null);
    assertArrayEquals(blurred(before), found);
  }

  private static int[] blurred(Raster image) {
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
    Platform.Result result = run("check=none").failed(1);
    assertTrue(result.err().contains("in.png: is no PNG image"), result.err());
  }

  private Platform.Result run(String check) {
    return Platform.isle(
        "run",
        JOB,
        "--set",
        "input=" + folder.resolve("in.png"),
        "--set",
        "output=" + folder.resolve("out.png"),
        "--set",
        check);
  }
}
