package io.isle.benchmarks.programs;

import io.isle.benchmarks.Cases;
import io.isle.benchmarks.Row;
import io.isle.benchmarks.Settings;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import javax.imageio.ImageIO;

/** The blur of an image that is made for it, against ImageMagick. */
final class ConvolutionCase implements Cases {
  private static final int EDGE = 2048;
  private static final int LEAST_EDGE = 64;

  private final Kernels kernels;
  private final PrintStream progress;
  private final int edge;

  ConvolutionCase(Settings settings, PrintStream progress) {
    kernels = new Kernels(settings, "convolve-u8");
    this.progress = progress;
    edge = settings.size(EDGE, LEAST_EDGE);
  }

  @Override
  public List<String> rows() {
    return List.of("convolution");
  }

  @Override
  public void checkPeers() throws IOException, InterruptedException {
    kernels.checkPeers();
  }

  @Override
  public List<Row> run() throws IOException, InterruptedException {
    Path image = Files.createTempFile("isle-bench", ".png");
    try {
      draw(image);
      progress.println("programs: convolution, " + kernels.pairs() + " rounds");
      String blur = kernels.measure(image.toString());
      return List.of(
          kernels.row("convolution", blur, "imagemagick", "ImageMagick, one thread", 1.0));
    } finally {
      Files.delete(image);
    }
  }

  /** Shades with some noise over them, as photographs have. */
  private void draw(Path file) throws IOException {
    BufferedImage image = new BufferedImage(edge, edge, BufferedImage.TYPE_INT_RGB);
    SplittableRandom random = new SplittableRandom(1);
    for (int y = 0; y < edge; y++) {
      for (int x = 0; x < edge; x++) {
        int red = x * 240 / edge + random.nextInt(16);
        int green = y * 240 / edge + random.nextInt(16);
        int blue = (x + y) * 120 / edge + random.nextInt(16);
        image.setRGB(x, y, (red << 16) | (green << 8) | blue);
      }
    }
    if (!ImageIO.write(image, "png", file.toFile())) {
      throw new IOException("this JDK cannot write PNG files");
    }
  }
}
