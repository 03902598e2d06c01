package io.isle.lib.edid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.isle.api.base.Errno;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EdidTest {
  private static final int TIMING = 54;
  private static final int TEXT = 72;
  private static final int RANGE = 90;
  private static final int UNUSED = 108;

  /** 1920 x 1080 at 60 Hz, as the CEA's standard has it. */
  private static final String FULL_HD = "023a801871382d40582c450012 2c 21 00 00 1e";

  /** A base block of a screen, and {@code extensions} blocks after it. */
  static byte[] bytes(int extensions) {
    byte[] all = new byte[Edid.BLOCK * (extensions + 1)];
    put(all, 0, "00ffffffffffff00 266c 0300 78563412 ff24 0104 a5351e78");
    put(all, TIMING, FULL_HD);
    put(all, TEXT, "000000fc00 49534c450a 2020202020202020");
    put(all, RANGE, "000000fd00 30901fdc3c 000a202020202020");
    put(all, UNUSED, "0000001000");
    all[126] = (byte) extensions;
    return summed(all);
  }

  private static void put(byte[] all, int at, String hex) {
    byte[] part = HexFormat.of().parseHex(hex.replace(" ", ""));
    System.arraycopy(part, 0, all, at, part.length);
  }

  /** Blocks with their sums made right. */
  static byte[] summed(byte[] all) {
    for (int block = 0; block + Edid.BLOCK <= all.length; block += Edid.BLOCK) {
      int sum = 0;
      for (int i = 0; i < Edid.BLOCK - 1; i++) {
        sum += all[block + i];
      }
      all[block + Edid.BLOCK - 1] = (byte) -sum;
    }
    return all;
  }

  private static void refused(byte[] all, String why) {
    EdidException thrown = assertThrows(EdidException.class, () -> Edid.of(all));
    assertEquals(Errno.EPROTO, thrown.code());
    assertTrue(thrown.getMessage().contains(why), thrown.getMessage());
  }

  private static byte[] with(int at, int value) {
    byte[] all = bytes(0);
    all[at] = (byte) value;
    return summed(all);
  }

  @Test
  void aScreenIsReadInFull() {
    Edid edid = Edid.of(bytes(0));
    assertEquals("ISL", edid.maker());
    assertEquals(3, edid.product());
    assertEquals(0x12345678, edid.serial());
    assertEquals(2026, edid.year());
    assertEquals(4, edid.revision());
    assertTrue(edid.digital());
    assertEquals(530, edid.widthMillimeters());
    assertEquals(300, edid.heightMillimeters());
    assertEquals("ISLE", edid.name());
    assertEquals(0, edid.extensions());
    assertEquals(
        new Edid.Timing(1920, 1080, 60_000, 148_500, 88, 44, 148, 4, 5, 36, true),
        edid.timings().getFirst());
    assertEquals(Optional.of(new Edid.Range(48, 144, 31, 220, 600)), edid.range());
  }

  @Test
  void blocksMustBeWholeAndAsManyAsAnnounced() {
    byte[] two = bytes(1);
    assertEquals(1, Edid.of(two).extensions());
    assertEquals(255, Edid.of(bytes(255)).extensions());
    refused(new byte[0], "0 bytes");
    refused(Arrays.copyOf(two, 127), "127 bytes");
    refused(Arrays.copyOf(two, 255), "255 bytes");
    refused(new byte[257 * Edid.BLOCK], "32896 bytes");
    refused(Arrays.copyOf(two, 128), "announces 1 extension blocks, but the EDID has 0");
    refused(Arrays.copyOf(two, 384), "announces 1 extension blocks, but the EDID has 2");
  }

  @Test
  void sumsHeaderAndVersionAreChecked() {
    byte[] first = bytes(1);
    first[40]++;
    refused(first, "block 0 add up to 1");
    byte[] second = bytes(1);
    second[200] = (byte) 0x80;
    refused(second, "block 1 add up to 128");
    refused(with(0, 1), "byte 0 of the header is 1");
    refused(with(7, 255), "byte 7 of the header is 255");
    refused(with(18, 2), "version 2.4");
    refused(with(19, 2), "version 1.2");
    assertEquals(3, Edid.of(with(19, 3)).revision());
    refused(with(9, 0), "bytes 8 and 9");
  }

  @Test
  void timingsAndRangesThatCannotBeAreRefused() {
    byte[] narrow = bytes(0);
    narrow[TIMING + 2] = 0;
    narrow[TIMING + 4] &= 0x0f;
    refused(summed(narrow), "byte 54: a timing of 0 x 1080 pixels");
    refused(with(TIMING + 8, 255), "byte 54: porch and pulse");
    byte[] fast = bytes(0);
    put(fast, TIMING, "ffff0100000100000000000000 00 00 00 00 00");
    refused(summed(fast), "byte 54: a timing of 655350000000 frames");
    byte[] slow = bytes(0);
    put(slow, TIMING, "0100ffffffffffff0000000000 00 00 00 00 00");
    refused(summed(slow), "byte 54: a timing of 0 frames");
    refused(with(RANGE + 5, 0), "byte 90: the range");
    refused(with(RANGE + 6, 47), "byte 90: the range");
    refused(with(RANGE + 8, 30), "byte 90: the range");
  }

  @Test
  void limitsAbove255NeedRevision4() {
    byte[] high = bytes(0);
    high[RANGE + 4] = 0x0a;
    assertEquals(
        new Edid.Range(48, 399, 31, 475, 600), Edid.of(summed(high)).range().orElseThrow());
    high[RANGE + 4] = 0x0f;
    assertEquals(
        new Edid.Range(303, 399, 286, 475, 600), Edid.of(summed(high)).range().orElseThrow());
    high[19] = 3;
    assertEquals(
        new Edid.Range(48, 144, 31, 220, 600), Edid.of(summed(high)).range().orElseThrow());
  }

  @Test
  void whatIsNotDescribedIsLeftOut() {
    byte[] bare = bytes(0);
    put(bare, TIMING, "000000100000000000000000000000000000");
    put(bare, TEXT, "000000fe00 41420a202020202020202020 20");
    put(bare, RANGE, "000000100000000000000000000000000000");
    Edid edid = Edid.of(summed(bare));
    assertEquals("", edid.name());
    assertTrue(edid.timings().isEmpty() && edid.range().isEmpty());
    assertTrue(Edid.of(with(TIMING + 17, 0x9e)).timings().isEmpty(), "interlaced");
    assertEquals("ISL?", Edid.of(with(TEXT + 8, 0x1b)).name());
    byte[] full = bytes(0);
    put(full, TEXT, "000000fc00 41424344454647484950515253");
    assertEquals("ABCDEFGHIPQRS", Edid.of(summed(full)).name());
  }
}
