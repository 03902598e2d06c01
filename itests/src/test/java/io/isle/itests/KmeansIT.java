package io.isle.itests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.awt.image.BufferedImage;
import java.awt.image.Raster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The example of a loop that reduces the colours of an image. */
@ExtendWith(Platform.class)
class KmeansIT {
  private static final Path EXAMPLE = Platform.root().resolve("examples/kmeans");

  /** The pixels after the long loop, which are the same in all memories; computed once. */
  private static int[] afterLong;

  @TempDir Path folder;

  @BeforeEach
  void aDeviceIsThere() throws Exception {
    assumeTrue(Devices.exists("opencl0"), "there is no OpenCL device");
  }

  @ParameterizedTest
  @CsvSource({
    "31, 17, " + BufferedImage.TYPE_3BYTE_BGR + ", 8",
    "40, 3, " + BufferedImage.TYPE_BYTE_GRAY + ", 1",
    "12, 5, " + BufferedImage.TYPE_4BYTE_ABGR + ", 20"
  })
  void everyPixelHasItsCentre(int width, int height, int kind, int k) throws Exception {
    Raster before = Arrays.image(folder.resolve("in.png"), width, height, kind).getRaster();
    run("k=" + k).succeeded();
    assertArrayEquals(reduced(before, k), pixels());
  }

  @Test
  void coloursThatStillChangeFailTheClaim() throws Exception {
    Arrays.image(folder.resolve("in.png"), 60, 50, BufferedImage.TYPE_3BYTE_BGR);
    Platform.Result result = run("turns=2").failed(1);
    assertTrue(result.err().contains("the colours do not change any more"), result.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "staging"})
  void afterACrashItGoesOnFromACheckpoint(String memory) throws Exception {
    BufferedImage image =
        Arrays.image(folder.resolve("in.png"), 600, 400, BufferedImage.TYPE_3BYTE_BGR);
    double turns =
        CrashedLoop.run(
            memory,
            EXAMPLE,
            "cluster",
            3,
            Files.createDirectory(folder.resolve("job")),
            Map.of(
                "input",
                folder.resolve("in.png").toString(),
                "output",
                folder.resolve("out.png").toString(),
                "k",
                "64"));
    assertTrue(turns > 30, turns + " turns");
    if (afterLong == null) {
      afterLong = reduced(image.getRaster(), 64);
    }
    assertArrayEquals(afterLong, pixels());
  }

  private Platform.Result run(String value) {
    return Platform.isle(
        "run",
        EXAMPLE.resolve("job.yml").toString(),
        "--set",
        "input=" + folder.resolve("in.png"),
        "--set",
        "output=" + folder.resolve("out.png"),
        "--set",
        value);
  }

  private int[] pixels() throws Exception {
    return ImageIO.read(folder.resolve("out.png").toFile())
        .getRaster()
        .getPixels(0, 0, width(), height(), (int[]) null);
  }

  private int width() throws Exception {
    return ImageIO.read(folder.resolve("in.png").toFile()).getWidth();
  }

  private int height() throws Exception {
    return ImageIO.read(folder.resolve("in.png").toFile()).getHeight();
  }

  /** K-means in whole numbers, turn by turn. */
  private static int[] reduced(Raster image, int k) {
    int channels = image.getNumBands();
    int count = image.getWidth() * image.getHeight();
    int[] pixels =
        image.getPixels(0, 0, image.getWidth(), image.getHeight(), new int[count * channels]);
    int[] centres = new int[k * channels];
    for (int i = 0; i < centres.length; i++) {
      centres[i] = pixels[(int) ((long) (i / channels) * count / k) * channels + i % channels];
    }
    int[] labels = new int[count];
    java.util.Arrays.fill(labels, -1);
    while (assign(pixels, centres, labels, channels)) {
      move(pixels, centres, labels, channels);
    }
    // the last turn moves the centres, too
    move(pixels, centres, labels, channels);
    for (int i = 0; i < pixels.length; i++) {
      pixels[i] = centres[labels[i / channels] * channels + i % channels];
    }
    return pixels;
  }

  /** Whether a label changed. */
  private static boolean assign(int[] pixels, int[] centres, int[] labels, int channels) {
    boolean changed = false;
    for (int pixel = 0; pixel < labels.length; pixel++) {
      int nearest = 0;
      int least = Integer.MAX_VALUE;
      for (int centre = 0; centre < centres.length / channels; centre++) {
        int distance = 0;
        for (int channel = 0; channel < channels; channel++) {
          int apart = centres[centre * channels + channel] - pixels[pixel * channels + channel];
          distance += apart * apart;
        }
        if (distance < least) {
          least = distance;
          nearest = centre;
        }
      }
      changed |= labels[pixel] != nearest;
      labels[pixel] = nearest;
    }
    return changed;
  }

  private static void move(int[] pixels, int[] centres, int[] labels, int channels) {
    int[] sums = new int[centres.length];
    int[] counts = new int[centres.length / channels];
    for (int i = 0; i < pixels.length; i++) {
      sums[labels[i / channels] * channels + i % channels] += pixels[i];
      counts[labels[i / channels]] += i % channels == 0 ? 1 : 0;
    }
    for (int i = 0; i < centres.length; i++) {
      int of = counts[i / channels];
      centres[i] = of == 0 ? centres[i] : (sums[i] + of / 2) / of;
    }
  }
}
