package io.isle.lib.svg.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.imageio.ImageIO;

/** Renders pictures with librsvg, if installed, on a light and on a dark page. */
public final class RenderedPicture {
  private static final String RENDERER = "rsvg-convert";
  private static final Pattern SIZE =
      Pattern.compile("<svg [^>]*width=\"(\\d+)\" height=\"(\\d+)\"");
  private static final Pattern DARK =
      Pattern.compile("@media \\(prefers-color-scheme: dark\\)\\{(.*)}</style>");
  private static final Pattern DARK_PAGE = Pattern.compile("\\.page\\{fill:#([0-9a-f]{6})}");

  private RenderedPicture() {}

  /**
   * Checks that the picture is rendered in its size, that nothing reaches the edge of the page, and
   * that the page is not empty. Skips the test where the renderer is not installed.
   *
   * @param folder for files of the renderer
   */
  public static void check(Path folder, String svg) throws IOException, InterruptedException {
    assumeTrue(installed(), RENDERER + " is not installed (apt-get install librsvg2-bin)");
    Path file = Files.writeString(folder.resolve("rendered.svg"), svg);
    Matcher size = matched(SIZE, svg);
    int width = Integer.parseInt(size.group(1));
    int height = Integer.parseInt(size.group(2));
    String rules = matched(DARK, svg).group(1);
    Path style = Files.writeString(folder.resolve("dark.css"), rules);
    check(render(folder, file), width, height, 0xffffff);
    int dark = Integer.parseInt(matched(DARK_PAGE, rules).group(1), 16);
    check(render(folder, file, "--stylesheet", style.toString()), width, height, dark);
  }

  private static void check(BufferedImage image, int width, int height, int page) {
    if (image.getWidth() != width || image.getHeight() != height) {
      throw new AssertionError(
          "rendered "
              + image.getWidth()
              + " x "
              + image.getHeight()
              + ", not "
              + width
              + " x "
              + height);
    }
    boolean drawn = false;
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        boolean edge = x == 0 || y == 0 || x == width - 1 || y == height - 1;
        boolean other = (image.getRGB(x, y) & 0xffffff) != page;
        if (edge && other) {
          throw new AssertionError("the edge of the page is drawn on at " + x + ", " + y);
        }
        drawn |= other;
      }
    }
    if (!drawn) {
      throw new AssertionError("the page is empty");
    }
  }

  private static BufferedImage render(Path folder, Path svg, String... options)
      throws IOException, InterruptedException {
    Path png = folder.resolve("rendered.png");
    Path log = folder.resolve("rendered.log");
    List<String> command = new ArrayList<>(List.of(RENDERER));
    command.addAll(List.of(options));
    command.addAll(List.of("-o", png.toString(), svg.toString()));
    int code =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start()
            .waitFor();
    if (code != 0) {
      throw new AssertionError(RENDERER + " ended with " + code + ": " + Files.readString(log));
    }
    return ImageIO.read(png.toFile());
  }

  private static Matcher matched(Pattern pattern, String text) {
    Matcher found = pattern.matcher(text);
    if (!found.find()) {
      throw new AssertionError(pattern + " is not in the picture");
    }
    return found;
  }

  private static boolean installed() {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, RENDERER)));
  }
}
