package io.isle.spin.nic.offline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class ImageFunctionsTest {
  private static final int HEADER = 52;
  private static final int NAMES = 200;
  private static final int SYMBOLS = 300;
  private static final int BYTES = 400;

  /** Two sections: symbols, and their names. */
  private static byte[] image() {
    ByteBuffer image = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    image.putInt(0, 0x464C457F).putInt(32, HEADER);
    image.putShort(46, (short) 40).putShort(48, (short) 2);
    image.putInt(HEADER + 4, 2).putInt(HEADER + 16, SYMBOLS).putInt(HEADER + 20, 48);
    image.putInt(HEADER + 24, 1);
    image.putInt(HEADER + 40 + 16, NAMES).putInt(HEADER + 40 + 20, 30);
    image.put(NAMES, "\0a_ph\0look\0a b\0".getBytes(StandardCharsets.US_ASCII));
    symbol(image, 0, 1, 0x1000, 0x20);
    symbol(image, 1, 6, 0x1020, 0x10);
    symbol(image, 2, 11, 0x2000, 0x10);
    return image.array();
  }

  private static void symbol(ByteBuffer image, int number, int name, int value, int size) {
    int at = SYMBOLS + number * 16;
    image.putInt(at, name).putInt(at + 4, value).putInt(at + 8, size).put(at + 12, (byte) 0x12);
  }

  @Test
  void anInstructionIsInTheFunctionAroundIt() {
    ImageFunctions functions = ImageFunctions.of(image());
    assertEquals("", functions.at(0xFFF));
    assertEquals("a_ph+0x0", functions.at(0x1000));
    assertEquals("a_ph+0x1f", functions.at(0x101F));
    assertEquals("look+0x4", functions.at(0x1024));
    assertEquals("", functions.at(0x1030), "behind all functions");
    assertEquals("", functions.at(0x2000), "no name in C");
    assertEquals("", ImageFunctions.of(new byte[0]).at(0));
  }

  @Property
  void anyImageIsRead(@ForAll long seed) {
    Random random = new Random(seed);
    byte[] image = Arrays.copyOf(image(), random.nextInt(BYTES + 1));
    ByteBuffer words = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = random.nextInt(6); i > 0 && image.length >= 4; i--) {
      words.putInt(random.nextInt(image.length - 3), random.nextInt() >> random.nextInt(32));
    }
    ImageFunctions functions = ImageFunctions.of(image);
    for (long at : new long[] {0, 0x1000, 0x1024, 0x2000, 0xFFFF_FFFFL}) {
      assertTrue(functions.at(at).matches("|[A-Za-z_.$][A-Za-z0-9_.$]*\\+0x[0-9a-f]+"));
    }
  }
}
