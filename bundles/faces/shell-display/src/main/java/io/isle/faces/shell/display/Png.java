package io.isle.faces.shell.display;

import io.isle.api.display.Picture;
import io.isle.faces.shell.ShellException;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import java.util.function.IntBinaryOperator;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.FileImageInputStream;

/** PNG files. */
final class Png {
  private static final String FORMAT = "png";

  private Png() {}

  /**
   * Writes beside the file and renames, so that nobody sees half of it.
   *
   * @throws ShellException naming the file
   */
  static void write(Picture picture, Path file) {
    if (file.getFileName() == null || Files.isDirectory(file)) {
      throw ShellException.failed(file + " cannot be written: the path is a directory");
    }
    Path beside = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID() + ".part");
    try {
      encode(image(picture), beside);
      Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw ShellException.failed(file + " cannot be written: " + e);
    } finally {
      delete(beside);
    }
  }

  /** What could not be made whole, or not be renamed. */
  private static void delete(Path part) {
    try {
      boolean ignored = Files.deleteIfExists(part);
    } catch (IOException e) {
      // why it is there is told already
    }
  }

  private static BufferedImage image(Picture picture) {
    BufferedImage image =
        new BufferedImage(picture.width(), picture.height(), BufferedImage.TYPE_INT_RGB);
    for (int y = 0; y < picture.height(); y++) {
      for (int x = 0; x < picture.width(); x++) {
        image.setRGB(x, y, picture.rgb(x, y));
      }
    }
    return image;
  }

  private static void encode(BufferedImage image, Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.CREATE_NEW)) {
      if (!ImageIO.write(image, FORMAT, out)) {
        throw new IOException("this JDK has no writer for images of format " + FORMAT);
      }
    }
  }

  /**
   * The picture of a file, in the middle of a black screen.
   *
   * @throws ShellException naming the file, when it is not there
   */
  static Painting of(Path file) {
    if (!Files.isReadable(file)) {
      throw ShellException.failed(
          file
              + " cannot be read: the file is missing, or its permissions do not let the"
              + " platform's user read it");
    }
    return (width, height) -> centred(decode(file, width, height), width, height);
  }

  /** Decodes no more than a screen can show, whatever the file says. */
  private static BufferedImage decode(Path file, int width, int height) {
    ImageReader reader = ImageIO.getImageReadersByFormatName(FORMAT).next();
    try (FileImageInputStream in = new FileImageInputStream(file.toFile())) {
      reader.setInput(in, true, true);
      int columns = reader.getWidth(0);
      int lines = reader.getHeight(0);
      if (columns <= width && lines <= height) {
        return reader.read(0);
      }
      throw ShellException.failed(
          file
              + " has "
              + columns
              + " x "
              + lines
              + " pixels, more than the mode's "
              + width
              + " x "
              + height);
    } catch (ShellException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      // a broken file makes the reader throw anything
      throw ShellException.failed(file + " is not a PNG image: " + e.getMessage());
    } finally {
      reader.dispose();
    }
  }

  private static IntBinaryOperator centred(BufferedImage image, int width, int height) {
    int left = (width - image.getWidth()) / 2;
    int top = (height - image.getHeight()) / 2;
    return (x, y) -> {
      int column = x - left;
      int line = y - top;
      boolean inside =
          column >= 0 && column < image.getWidth() && line >= 0 && line < image.getHeight();
      return inside ? onBlack(image.getRGB(column, line)) : 0;
    };
  }

  /** A colour of any opacity over black. */
  private static int onBlack(int argb) {
    int alpha = argb >>> 24;
    int rgb = 0;
    for (int shift = 0; shift < 24; shift += 8) {
      rgb |= ((argb >> shift & 0xff) * alpha + 127) / 255 << shift;
    }
    return rgb;
  }
}
