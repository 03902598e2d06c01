package io.isle.faces.shell.display;

import io.isle.api.accel.Picture;
import io.isle.api.device.DisplayMode;
import io.isle.faces.shell.ShellException;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Iterator;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.ImageWriter;
import javax.imageio.stream.FileImageInputStream;
import javax.imageio.stream.FileImageOutputStream;

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
    BufferedImage image =
        new BufferedImage(picture.width(), picture.height(), BufferedImage.TYPE_INT_RGB);
    for (int y = 0; y < picture.height(); y++) {
      for (int x = 0; x < picture.width(); x++) {
        image.setRGB(x, y, picture.rgb(x, y));
      }
    }
    Path beside = file.resolveSibling(file.getFileName() + ".part");
    try {
      encode(image, beside);
      Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw ShellException.failed(file + " cannot be written: " + e);
    } finally {
      remove(beside);
    }
  }

  private static void remove(Path file) {
    try {
      boolean ignored = Files.deleteIfExists(file);
    } catch (IOException e) {
      throw ShellException.failed(file + " cannot be removed: " + e);
    }
  }

  private static void encode(BufferedImage image, Path file) throws IOException {
    boolean ignored = Files.deleteIfExists(file);
    ImageWriter writer = ImageIO.getImageWritersByFormatName(FORMAT).next();
    try (FileImageOutputStream out = new FileImageOutputStream(file.toFile())) {
      writer.setOutput(out);
      writer.write(image);
    } finally {
      writer.dispose();
    }
  }

  /**
   * A picture for the middle of a screen. Its size is looked at before it is decoded.
   *
   * @throws ShellException naming the file
   */
  static Painting read(Path file) {
    if (!Files.isReadable(file)) {
      throw ShellException.failed(file + " cannot be read: it is not there, or not for this user");
    }
    Iterator<ImageReader> readers = ImageIO.getImageReadersByFormatName(FORMAT);
    ImageReader reader = readers.next();
    try (FileImageInputStream in = new FileImageInputStream(file.toFile())) {
      reader.setInput(in, true, true);
      int width = reader.getWidth(0);
      int height = reader.getHeight(0);
      if (width > DisplayMode.MAX_SIDE
          || height > DisplayMode.MAX_SIDE
          || (long) width * height > 1L << 26) {
        throw ShellException.failed(
            file + " has " + width + " x " + height + " pixels; at most 2^26 can be shown");
      }
      return centred(file, reader.read(0));
    } catch (IOException | IndexOutOfBoundsException | IllegalArgumentException e) {
      throw ShellException.failed(file + " is no PNG picture: " + e.getMessage());
    } finally {
      reader.dispose();
    }
  }

  private static Painting centred(Path file, BufferedImage image) {
    return new Painting() {
      @Override
      public int rgb(int x, int y, int width, int height) {
        int column = x - (width - image.getWidth()) / 2;
        int line = y - (height - image.getHeight()) / 2;
        boolean inside =
            column >= 0 && column < image.getWidth() && line >= 0 && line < image.getHeight();
        return inside ? image.getRGB(column, line) & 0xffffff : 0;
      }

      @Override
      public void check(int width, int height) {
        if (image.getWidth() > width || image.getHeight() > height) {
          throw ShellException.failed(
              file
                  + " has "
                  + image.getWidth()
                  + " x "
                  + image.getHeight()
                  + " pixels, the mode only "
                  + width
                  + " x "
                  + height);
        }
      }
    };
  }
}
