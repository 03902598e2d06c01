package io.isle.benchmarks.programs;

import io.isle.benchmarks.Commands;
import io.isle.benchmarks.PeerMissingException;
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

/**
 * What the software device's programs compute with, one compute unit, against others on one thread.
 * The C program {@code bench-kernels} calls ours and the peers in turn, on the same buffers, and
 * ends with an error when they do not compute the same.
 */
final class KernelCases implements ProgramsBench.Cases {
  static final int PAIRS = 21;
  private static final int IMAGE_EDGE = 2048;

  private final Settings settings;
  private final PrintStream progress;

  KernelCases(Settings settings, PrintStream progress) {
    this.settings = settings;
    this.progress = progress;
  }

  @Override
  public void checkPeers() throws IOException, InterruptedException {
    String missing = Commands.output(List.of(program(), "missing")).strip();
    if (!missing.isEmpty()) {
      throw new PeerMissingException(missing);
    }
  }

  @Override
  public List<Row> run() throws IOException, InterruptedException {
    progress.println("programs: matmul-f32-1024 and matmul-f32-1024-scalar, " + PAIRS + " rounds");
    String product = measure("matmul-f32", "1024");
    Path image = Files.createTempFile("isle-bench", ".png");
    String blur;
    try {
      draw(image);
      progress.println("programs: convolution, " + PAIRS + " rounds");
      blur = measure("convolve-u8", image.toString());
    } finally {
      Files.delete(image);
    }
    return List.of(
        row("matmul-f32-1024", product, "openblas", "OpenBLAS, one thread", 0.5),
        row("matmul-f32-1024-scalar", product, "loops", "portable C loop", 8.0),
        row("convolution", blur, "imagemagick", "ImageMagick, one thread", 1.0));
  }

  private String program() {
    return settings.nativeDirectory().resolve("bench-kernels").toString();
  }

  private String measure(String name, String size) throws IOException, InterruptedException {
    Path driver = settings.nativeDirectory().resolve("libsoftaccel.so");
    return Commands.output(
        List.of(program(), driver.toString(), name, size, Integer.toString(PAIRS)));
  }

  private static Row row(String name, String printed, String peer, String peerName, double goal)
      throws IOException {
    return Row.against(
        ProgramsBench.NAME,
        name,
        "ns",
        "lower",
        times(printed, "ours"),
        times(printed, peer),
        peerName,
        goal);
  }

  /** Nanoseconds of the lines {@code PROGRAM SIZE WHO NS} of one side. */
  static double[] times(String printed, String who) throws IOException {
    double[] times =
        printed
            .lines()
            .map(line -> line.split(" ", -1))
            .filter(words -> words.length == 4 && words[2].equals(who))
            .mapToDouble(words -> Double.parseDouble(words[3]))
            .toArray();
    if (times.length != PAIRS) {
      throw new IOException(
          "bench-kernels printed " + times.length + " times of " + who + ", not " + PAIRS);
    }
    return times;
  }

  /** Shades with some noise over them, as photographs have. */
  private static void draw(Path file) throws IOException {
    BufferedImage image = new BufferedImage(IMAGE_EDGE, IMAGE_EDGE, BufferedImage.TYPE_INT_RGB);
    SplittableRandom random = new SplittableRandom(1);
    for (int y = 0; y < IMAGE_EDGE; y++) {
      for (int x = 0; x < IMAGE_EDGE; x++) {
        int red = x * 240 / IMAGE_EDGE + random.nextInt(16);
        int green = y * 240 / IMAGE_EDGE + random.nextInt(16);
        int blue = (x + y) * 120 / IMAGE_EDGE + random.nextInt(16);
        image.setRGB(x, y, (red << 16) | (green << 8) | blue);
      }
    }
    if (!ImageIO.write(image, "png", file.toFile())) {
      throw new IOException("this JDK writes no PNG");
    }
  }
}
