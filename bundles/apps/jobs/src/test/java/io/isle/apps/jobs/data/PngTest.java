package io.isle.apps.jobs.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PngTest {
  private static final int IHDR = 16;

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 4})
  void pixelsComeBackAsTheyWere(int channels) throws IOException {
    byte[] pixels = new byte[7 * 5 * channels];
    new Random(channels).nextBytes(pixels);
    byte[] file = write(List.of(7L, 5L, (long) channels), pixels);
    Png.Header header = Png.header(file);
    assertEquals(List.of(7L, 5L, (long) channels), header.shape());
    byte[] back = new byte[pixels.length];
    Png.read(file, header, MemorySegment.ofArray(back));
    assertArrayEquals(pixels, back);
  }

  @Test
  void aHugeImageIsRefusedBeforeItIsUnpacked() throws IOException {
    byte[] file = write(List.of(1L, 1L, 3L), new byte[3]);
    ByteBuffer.wrap(file).putInt(IHDR, 32_769);
    assertMessage(file, "32769 x 1 pixels; each may be 1 to 32768");
    ByteBuffer.wrap(file).putInt(IHDR, -1);
    assertMessage(file, "4294967295 x 1");
    ByteBuffer.wrap(file).putInt(IHDR, 32_768).putInt(IHDR + 4, 32_768);
    assertMessage(file, "3221225472 bytes; at most 268435456");
  }

  @Test
  void otherKindsAreRefusedByField() throws IOException {
    byte[] file = write(List.of(1L, 1L, 1L), new byte[1]);
    file[IHDR + 8] = 16;
    assertMessage(file, "16 bits a channel");
    file[IHDR + 9] = 3;
    assertMessage(file, "colour type 3");
    assertMessage(new byte[100], "is no PNG image");
    assertMessage(Arrays.copyOf(file, 20), "is no PNG image");
  }

  @Property(tries = 200)
  void aDamagedImageIsAnError(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    byte[] pixels = new byte[16 * 16 * 3];
    random.nextBytes(pixels);
    byte[] file = write(List.of(16L, 16L, 3L), pixels);
    byte[] bad = Arrays.copyOf(file, 34 + random.nextInt(file.length - 34));
    for (int i = 0; i < 3; i++) {
      bad[33 + random.nextInt(bad.length - 33)] = (byte) random.nextInt();
    }
    byte[] back = new byte[pixels.length];
    try {
      Png.read(bad, Png.header(bad), MemorySegment.ofArray(back));
    } catch (IOException e) {
      assertNotNull(e.getMessage());
    }
  }

  @Test
  void whatCannotBeAnImageSaysWhy() {
    assertNull(Png.refusal(ElementType.U8, List.of(2L, 2L, 4L)));
    assertTrue(Png.refusal(ElementType.F32, List.of(2L, 2L, 4L)).contains("this is f32 [2, 2, 4]"));
    assertTrue(Png.refusal(ElementType.U8, List.of(2L, 2L)).contains("[height, width, channels]"));
    assertTrue(Png.refusal(ElementType.U8, List.of(2L, 2L, 2L)).contains("not 2"));
    assertTrue(Png.refusal(ElementType.U8, List.of(0L, 2L, 1L)).contains("not 0"));
  }

  private static byte[] write(List<Long> shape, byte[] pixels) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Png.write(shape, MemorySegment.ofArray(pixels), out);
    return out.toByteArray();
  }

  private static void assertMessage(byte[] file, String message) {
    FormatException e = assertThrows(FormatException.class, () -> Png.header(file));
    assertTrue(e.getMessage().contains(message), e.getMessage());
  }
}
