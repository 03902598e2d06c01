package io.isle.apps.jobs.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.Transparency;
import java.awt.color.ColorSpace;
import java.awt.image.BufferedImage;
import java.awt.image.ColorModel;
import java.awt.image.ComponentColorModel;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.awt.image.WritableRaster;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PngTest {
  private static final int IHDR = 16;

  @ParameterizedTest
  @CsvSource({"7, 5, 1", "7, 5, 2", "7, 5, 3", "300, 200, 4", "1, 1, 1"})
  void pixelsComeBackAsTheyWere(int height, int width, int channels) throws IOException {
    byte[] pixels = random(height * width * channels);
    byte[] file = write(height, width, channels, pixels);
    assertArrayEquals(pixels, read(file, pixels.length));
    BufferedImage image = ImageIO.read(new ByteArrayInputStream(file));
    int[] seen = image.getRaster().getPixels(0, 0, width, height, (int[]) null);
    for (int i = 0; i < pixels.length; i++) {
      assertEquals(pixels[i] & 0xff, seen[i], "by another reader, sample " + i);
    }
  }

  /** Written by another library: other filters, interlaced. */
  @Property(tries = 60)
  void imagesOfOthersAreRead(
      @ForAll @IntRange(min = 1, max = 20) int width,
      @ForAll @IntRange(min = 1, max = 20) int height,
      @ForAll @IntRange(min = 0, max = 2) int kind,
      @ForAll boolean interlaced)
      throws IOException {
    int[] kinds = {
      BufferedImage.TYPE_BYTE_GRAY, BufferedImage.TYPE_3BYTE_BGR, BufferedImage.TYPE_4BYTE_ABGR
    };
    BufferedImage image = new BufferedImage(width, height, kinds[kind]);
    byte[] pixels = random(width * height * image.getRaster().getNumBands());
    int[] samples = new int[pixels.length];
    for (int i = 0; i < samples.length; i++) {
      samples[i] = pixels[i] & 0xff;
    }
    image.getRaster().setPixels(0, 0, width, height, samples);
    assertArrayEquals(pixels, read(written(image, interlaced), pixels.length));
  }

  @Property(tries = 120)
  void palettesAreLookedUp(
      @ForAll @IntRange(min = 1, max = 20) int width,
      @ForAll @IntRange(min = 1, max = 20) int height,
      @ForAll @IntRange(min = 0, max = 3) int depth,
      @ForAll boolean clear,
      @ForAll boolean interlaced)
      throws IOException {
    int bits = 1 << depth;
    int size = 1 << bits;
    int channels = clear ? 4 : 3;
    byte[] colours = random(size * channels);
    // an opaque first colour must not end the list of alphas
    if (clear) {
      colours[size * 4 - 1] = 7;
    }
    IndexColorModel model = new IndexColorModel(bits, size, colours, 0, clear);
    byte[] indices = random(width * height);
    BufferedImage image =
        bits == 8
            ? new BufferedImage(width, height, BufferedImage.TYPE_BYTE_INDEXED, model)
            : new BufferedImage(width, height, BufferedImage.TYPE_BYTE_BINARY, model);
    byte[] wanted = new byte[width * height * channels];
    for (int i = 0; i < indices.length; i++) {
      int index = (indices[i] & 0xff) % size;
      image.getRaster().setSample(i % width, i / width, 0, index);
      System.arraycopy(colours, index * channels, wanted, i * channels, channels);
    }
    byte[] file = written(image, interlaced);
    assertEquals(channels, header(file).channels());
    assertArrayEquals(wanted, read(file, wanted.length));
  }

  @Property(tries = 60)
  void samplesOf16BitsAreRounded(
      @ForAll @IntRange(min = 1, max = 9) int width,
      @ForAll @IntRange(min = 1, max = 9) int height,
      @ForAll @IntRange(min = 1, max = 4) int channels,
      @ForAll boolean interlaced)
      throws IOException {
    boolean alpha = channels % 2 == 0;
    ColorSpace space =
        ColorSpace.getInstance(channels < 3 ? ColorSpace.CS_GRAY : ColorSpace.CS_sRGB);
    ColorModel model =
        new ComponentColorModel(
            space,
            alpha,
            false,
            alpha ? Transparency.TRANSLUCENT : Transparency.OPAQUE,
            DataBuffer.TYPE_USHORT);
    WritableRaster raster = model.createCompatibleWritableRaster(width, height);
    byte[] random = random(width * height * channels * 2);
    byte[] wanted = new byte[width * height * channels];
    for (int i = 0; i < wanted.length; i++) {
      int value = (random[2 * i] & 0xff) << 8 | random[2 * i + 1] & 0xff;
      raster.setSample(i / channels % width, i / channels / width, i % channels, value);
      wanted[i] = (byte) Math.round(value / 257.0);
    }
    byte[] file = written(new BufferedImage(model, raster, false, null), interlaced);
    assertEquals(channels, header(file).channels());
    assertArrayEquals(wanted, read(file, wanted.length));
  }

  /** Rows of whole bytes: what is left of the last one is no pixel. */
  @ParameterizedTest
  @CsvSource({"1, 0 255 0 0 255", "2, 85 170 85 0 255", "4, 102 85 17 221 0"})
  void narrowGreysAreSpreadOverTheRange(int bits, String wanted) throws IOException {
    byte[] rows =
        switch (bits) {
          case 1 -> new byte[] {0, 0b0100_1000};
          case 2 -> new byte[] {0, 0b0110_0100, (byte) 0b1100_0000};
          default -> new byte[] {0, 0x65, 0x1d, 0x00};
        };
    StringBuilder found = new StringBuilder();
    byte[] file = join(header(5, 1, bits, 0), data(rows), chunk("IEND", new byte[0]));
    for (byte value : read(file, 5)) {
      found.append(value & 0xff).append(' ');
    }
    assertEquals(wanted, found.toString().strip());
  }

  @Test
  void aTransparentColourMakesAnAlphaChannel() throws IOException {
    byte[] grey =
        join(
            header(3, 1, 8, 0),
            chunk("tRNS", new byte[] {0, 7}),
            data(new byte[] {0, 7, 8, 7}),
            chunk("IEND", new byte[0]));
    assertEquals(2, header(grey).channels());
    assertArrayEquals(new byte[] {7, 0, 8, -1, 7, 0}, read(grey, 6));
    byte[] rgb =
        join(
            header(2, 1, 8, 2),
            chunk("tRNS", new byte[] {0, 1, 0, 2, 0, 3}),
            data(new byte[] {0, 1, 2, 3, 1, 2, 4}),
            chunk("IEND", new byte[0]));
    assertArrayEquals(new byte[] {1, 2, 3, 0, 1, 2, 4, -1}, read(rgb, 8));
  }

  @Test
  void paletteAndTransparencyAreCheckedBeforeTheyAreBelieved() throws IOException {
    byte[] head = header(1, 1, 8, 3);
    byte[] pixel = data(new byte[] {0, 1});
    byte[] end = chunk("IEND", new byte[0]);
    assertMessage(join(head, pixel, end), "the palette is missing");
    assertMessage(join(head, chunk("PLTE", new byte[4]), pixel, end), "the palette is invalid");
    assertMessage(join(head, chunk("PLTE", new byte[769]), pixel, end), "PLTE has 769 bytes");
    byte[] one = chunk("PLTE", new byte[3]);
    assertMessage(join(head, one, one, pixel, end), "a second palette");
    assertMessage(join(head, one, pixel, end), "colour 1 is outside the palette of 1");
    assertMessage(join(head, chunk("tRNS", new byte[1]), one, pixel, end), "transparent colours");
    assertMessage(join(head, one, chunk("tRNS", new byte[2]), pixel, end), "transparent colours");
    assertMessage(
        join(header(1, 1, 8, 2), chunk("tRNS", new byte[2]), pixel, end), "transparent colours");
  }

  /** Each way of predicting, as the standard defines it, over the rows 1 2 3, 4 5 6. */
  @ParameterizedTest
  @CsvSource({
    "0, 1 2 3 4 5 6",
    "1, 1 3 6 4 9 15",
    "2, 1 2 3 5 7 9",
    "3, 1 2 4 4 8 12",
    "4, 1 3 6 5 10 16"
  })
  void everyFilterIsUndone(int filter, String wanted) throws IOException {
    byte[] data = {(byte) filter, 1, 2, 3, (byte) filter, 4, 5, 6};
    StringBuilder found = new StringBuilder();
    for (byte value : read(image(3, 2, data), 6)) {
      found.append(value).append(' ');
    }
    assertEquals(wanted, found.toString().strip());
  }

  @Test
  void aHugeImageIsRefusedBeforeItIsUnpacked() throws IOException {
    assertMessage(header(32_769, 1, 8, 2), "32769 x 1 pixels; width and height must be 1 to 32768");
    assertMessage(header(-1, 1, 8, 2), "4294967295 x 1");
    assertMessage(header(1, 0, 8, 2), "1 x 0");
    assertMessage(header(32_768, 32_768, 8, 2), "3221225472 bytes; the limit is 268435456");
  }

  /** A few kilobytes that unpack to far more than the image needs: no more is unpacked. */
  @Test
  void whatUnpacksToMoreThanTheImageIsNotUnpacked() throws IOException {
    byte[] zeros = new byte[64 << 20];
    byte[] file = image(1, 1, zeros);
    assertTrue(file.length < 100_000, "length " + file.length);
    assertArrayEquals(new byte[1], read(file, 1));
  }

  @Test
  void otherKindsAreRefusedByField() throws IOException {
    assertMessage(header(1, 1, 3, 0), "colour type 0 does not allow a bit depth of 3");
    assertMessage(header(1, 1, 16, 3), "colour type 3 does not allow a bit depth of 16");
    assertMessage(header(1, 1, 4, 2), "colour type 2 does not allow a bit depth of 4");
    assertMessage(header(1, 1, 8, 5), "colour type 5 is not one of");
    byte[] file = write(1, 1, 1, new byte[1]);
    assertMessage(new byte[100], "is not a PNG image");
    assertMessage(Arrays.copyOf(file, 5), "is not a PNG image");
    assertMessage(Arrays.copyOf(file, 20), "the file ends before the end of the image");
    byte[] wrong = file.clone();
    wrong[IHDR]++;
    assertMessage(wrong, "a checksum is wrong");
  }

  @Test
  void chunksAreCheckedBeforeTheyAreBelieved() throws IOException {
    byte[] head = header(1, 1, 8, 0);
    assertMessage(join(head, chunk("IEND", new byte[0])), "the pixel data end early");
    assertMessage(join(head, chunk("IDAT", new byte[0]), chunk("IEND", new byte[0])), "end early");
    assertMessage(join(head, chunk("ABCD", new byte[3])), "a chunk of an unknown type: 0x41424344");
    assertMessage(join(head, new byte[] {-1, -1, -1, -1, 'a', 'b', 'c', 'd'}), "4294967295 bytes");
    byte[] good = image(1, 1, new byte[] {0, 9});
    byte[] more = join(Arrays.copyOf(good, good.length - 12), chunk("teXt", new byte[70_000]));
    assertArrayEquals(new byte[] {9}, read(join(more, chunk("IEND", new byte[0])), 1));
    assertMessage(more, "the file ends before the end of the image");
    assertMessage(image(1, 1, new byte[] {7, 9}), "unknown filter type 7");
  }

  @Property(tries = 200)
  void aDamagedImageIsAnError(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    byte[] file = write(16, 16, 3, random(16 * 16 * 3));
    byte[] bad = Arrays.copyOf(file, 34 + random.nextInt(file.length - 34));
    for (int i = 0; i < 3; i++) {
      bad[33 + random.nextInt(bad.length - 33)] = (byte) random.nextInt();
    }
    IOException e = assertThrows(IOException.class, () -> read(bad, 16 * 16 * 3));
    assertNotNull(e.getMessage());
  }

  @Test
  void whatCannotBeAnImageSaysWhy() {
    assertNull(Png.refusal(ElementType.U8, List.of(2L, 2L, 4L)));
    assertTrue(
        Png.refusal(ElementType.F32, List.of(2L, 2L, 4L)).contains("this array is f32 [2, 2, 4]"));
    assertTrue(Png.refusal(ElementType.U8, List.of(2L, 2L)).contains("[height, width, channels]"));
    assertTrue(Png.refusal(ElementType.U8, List.of(2L, 2L, 5L)).contains("not 5"));
    assertTrue(Png.refusal(ElementType.U8, List.of(0L, 2L, 1L)).contains("not 0"));
  }

  private static byte[] written(BufferedImage image, boolean interlaced) throws IOException {
    ImageWriter writer = ImageIO.getImageWritersByFormatName("png").next();
    ImageWriteParam how = writer.getDefaultWriteParam();
    how.setProgressiveMode(
        interlaced ? ImageWriteParam.MODE_DEFAULT : ImageWriteParam.MODE_DISABLED);
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    try (ImageOutputStream to = ImageIO.createImageOutputStream(file)) {
      writer.setOutput(to);
      writer.write(null, new IIOImage(image, null, null), how);
    } finally {
      writer.dispose();
    }
    return file.toByteArray();
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  private static byte[] write(int height, int width, int channels, byte[] pixels)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PngWriter.write(
        List.of((long) height, (long) width, (long) channels), MemorySegment.ofArray(pixels), out);
    return out.toByteArray();
  }

  /** A grey image of the rows {@code data}, each with its filter. */
  private static byte[] image(int width, int height, byte[] data) {
    return join(header(width, height, 8, 0), data(data), chunk("IEND", new byte[0]));
  }

  private static byte[] data(byte[] rows) {
    Deflater deflater = new Deflater();
    deflater.setInput(rows);
    deflater.finish();
    byte[] packed = new byte[rows.length + 100];
    int length = deflater.deflate(packed);
    deflater.end();
    return chunk("IDAT", Arrays.copyOf(packed, length));
  }

  private static byte[] header(int width, int height, int bits, int colours) {
    byte[] fields = new byte[13];
    ByteBuffer.wrap(fields).putInt(width).putInt(height).put((byte) bits).put((byte) colours);
    return join(Png.magic(), chunk("IHDR", fields));
  }

  private static byte[] chunk(String type, byte[] data) {
    ByteBuffer chunk = ByteBuffer.allocate(12 + data.length).putInt(data.length);
    for (char c : type.toCharArray()) {
      chunk.put((byte) c);
    }
    CRC32 crc = new CRC32();
    crc.update(chunk.put(data).array(), 4, 4 + data.length);
    return chunk.putInt((int) crc.getValue()).array();
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  private static byte[] read(byte[] file, int bytes) throws IOException {
    ByteBuffer left = ByteBuffer.wrap(file);
    try (PngReader reader = new PngReader(into -> move(left, into))) {
      assertTrue(Dims.elements(reader.header().shape()) >= bytes);
      byte[] pixels = new byte[bytes];
      reader.read(MemorySegment.ofArray(pixels));
      return pixels;
    }
  }

  private static Png.Header header(byte[] file) throws IOException {
    ByteBuffer left = ByteBuffer.wrap(file);
    try (PngReader reader = new PngReader(into -> move(left, into))) {
      return reader.header();
    }
  }

  private static int move(ByteBuffer from, ByteBuffer into) {
    int count = Math.min(into.remaining(), from.remaining());
    into.put(from.slice(from.position(), count));
    from.position(from.position() + count);
    return count;
  }

  private static void assertMessage(byte[] file, String message) {
    FormatException e = assertThrows(FormatException.class, () -> read(file, 1));
    assertTrue(e.getMessage().contains(message), e.getMessage());
  }
}
