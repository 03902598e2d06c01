package io.isle.itests;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import javax.imageio.ImageIO;

/** Files of numbers and pixels, written and read without Isle. */
final class Arrays {
  private Arrays() {}

  /** A matrix of small whole numbers as {@code .npy} of f32; the same for the same shape. */
  static float[] write(Path file, int rows, int columns) throws IOException {
    float[] values = new float[rows * columns];
    Random random = new Random(rows * 1000L + columns);
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextInt(17) - 8;
    }
    String header =
        "{'descr': '<f4', 'fortran_order': False, 'shape': (" + rows + ", " + columns + "), }";
    int length = Math.ceilDiv(10 + header.length() + 1, 64) * 64 - 10;
    ByteBuffer bytes =
        ByteBuffer.allocate(10 + length + 4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0}).putShort((short) length);
    bytes.put(
        (header + " ".repeat(length - header.length() - 1) + "\n")
            .getBytes(StandardCharsets.US_ASCII));
    for (float value : values) {
      bytes.putFloat(value);
    }
    Files.write(file, bytes.array());
    return values;
  }

  /** The elements of a {@code .npy} file of version 1.0. */
  static float[] read(Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    bytes.position(10 + bytes.getShort(8));
    float[] values = new float[bytes.remaining() / 4];
    bytes.asFloatBuffer().get(values);
    return values;
  }

  /** An image of random pixels. */
  static BufferedImage image(Path file, int width, int height, int kind) throws IOException {
    BufferedImage image = new BufferedImage(width, height, kind);
    int[] samples = new int[width * height * image.getRaster().getNumBands()];
    Random random = new Random(width);
    for (int i = 0; i < samples.length; i++) {
      samples[i] = random.nextInt(256);
    }
    image.getRaster().setPixels(0, 0, width, height, samples);
    if (!ImageIO.write(image, "png", file.toFile())) {
      throw new IOException("no writer of PNG");
    }
    return image;
  }
}
