package io.isle.lib.edid;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads an {@link Edid}; its bytes come from a screen and are not trusted. */
final class EdidReader {
  private static final int DESCRIPTORS = 54;
  private static final int DESCRIPTOR = 18;
  private static final int COUNT = 126;
  private static final int RANGE = 0xfd;
  private static final int NAME = 0xfc;
  private static final int FIRST_YEAR = 1990;
  private static final int MAX_MILLIHERTZ = 1_000_000;

  private final byte[] bytes;

  EdidReader(byte[] bytes) {
    this.bytes = bytes.clone();
  }

  Edid read() {
    checkBlocks();
    checkHeader();
    List<Edid.Timing> timings = new ArrayList<>();
    Optional<Edid.Range> range = Optional.empty();
    String name = "";
    for (int at = DESCRIPTORS; at < COUNT; at += DESCRIPTOR) {
      if (u16(at) != 0) {
        if (!isInterlaced(at)) {
          timings.add(timing(at, timings.isEmpty()));
        }
      } else if (u8(at + 3) == RANGE) {
        range = Optional.of(range(at));
      } else if (u8(at + 3) == NAME) {
        name = text(at + 5);
      }
    }
    return new Edid(
        maker(),
        u16(10),
        u16(12) | (long) u16(14) << 16,
        FIRST_YEAR + u8(17),
        u8(19),
        (u8(20) & 0x80) != 0,
        10 * u8(21),
        10 * u8(22),
        name,
        timings,
        range,
        u8(COUNT));
  }

  private void checkBlocks() {
    int blocks = bytes.length / Edid.BLOCK;
    if (blocks == 0 || bytes.length > Edid.MAX_BYTES || bytes.length % Edid.BLOCK != 0) {
      throw wrong(bytes.length + " bytes are not 1 to 256 blocks of " + Edid.BLOCK);
    }
    if (u8(COUNT) != blocks - 1) {
      throw wrong(
          "byte 126 announces "
              + u8(COUNT)
              + " extension blocks, but the EDID has "
              + (blocks - 1));
    }
    for (int block = 0; block < blocks; block++) {
      int sum = 0;
      for (int i = 0; i < Edid.BLOCK; i++) {
        sum += u8(block * Edid.BLOCK + i);
      }
      if ((sum & 0xff) != 0) {
        throw wrong("the bytes of block " + block + " add up to " + (sum & 0xff) + ", not 0");
      }
    }
  }

  private void checkHeader() {
    for (int i = 0; i < 8; i++) {
      if (u8(i) != (i == 0 || i == 7 ? 0 : 0xff)) {
        throw wrong("byte " + i + " of the header is " + u8(i));
      }
    }
    if (u8(18) != 1 || u8(19) < 3 || u8(19) > 4) {
      throw wrong("version " + u8(18) + "." + u8(19) + " is not 1.3 or 1.4");
    }
  }

  private String maker() {
    int packed = u8(8) << 8 | u8(9);
    StringBuilder letters = new StringBuilder();
    for (int shift = 10; shift >= 0; shift -= 5) {
      int letter = packed >> shift & 31;
      if (letter < 1 || letter > 26) {
        throw wrong("bytes 8 and 9: a letter of the maker is " + letter + ", not 1 to 26");
      }
      letters.append((char) ('A' + letter - 1));
    }
    return letters.toString();
  }

  private boolean isInterlaced(int at) {
    return (u8(at + 17) & 0x80) != 0;
  }

  /** A detailed timing; widths, porches and pulses are spread over its bytes. */
  private Edid.Timing timing(int at, boolean preferred) {
    int clock = 10 * u16(at);
    int width = u8(at + 2) | (u8(at + 4) & 0xf0) << 4;
    int hblank = u8(at + 3) | (u8(at + 4) & 0x0f) << 8;
    int height = u8(at + 5) | (u8(at + 7) & 0xf0) << 4;
    int vblank = u8(at + 6) | (u8(at + 7) & 0x0f) << 8;
    int hfp = u8(at + 8) | (u8(at + 11) & 0xc0) << 2;
    int hsw = u8(at + 9) | (u8(at + 11) & 0x30) << 4;
    int vfp = u8(at + 10) >> 4 | (u8(at + 11) & 0x0c) << 2;
    int vsw = u8(at + 10) & 0x0f | (u8(at + 11) & 0x03) << 4;
    if (width == 0 || height == 0) {
      throw wrong("byte " + at + ": a timing of " + width + " x " + height + " pixels");
    }
    if (hfp + hsw > hblank || vfp + vsw > vblank) {
      throw wrong("byte " + at + ": porch and pulse of a timing are longer than its blanking");
    }
    long total = (long) (width + hblank) * (height + vblank);
    long millihertz = (1_000_000L * clock + total / 2) / total;
    if (millihertz < 1 || millihertz > MAX_MILLIHERTZ) {
      throw wrong("byte " + at + ": a timing of " + millihertz + " frames in 1000 seconds");
    }
    return new Edid.Timing(
        width,
        height,
        (int) millihertz,
        clock,
        hfp,
        hsw,
        hblank - hfp - hsw,
        vfp,
        vsw,
        vblank - vfp - vsw,
        preferred);
  }

  /** Byte 4 of a revision 4 adds 255 to limits that do not fit into a byte. */
  private Edid.Range range(int at) {
    int add = u8(19) == 4 ? u8(at + 4) : 0;
    Edid.Range range =
        new Edid.Range(
            u8(at + 5) + ((add & 3) == 3 ? 255 : 0),
            u8(at + 6) + ((add & 2) != 0 ? 255 : 0),
            u8(at + 7) + ((add & 12) == 12 ? 255 : 0),
            u8(at + 8) + ((add & 8) != 0 ? 255 : 0),
            10 * u8(at + 9));
    if (range.minHertz() == 0
        || range.minHertz() > range.maxHertz()
        || range.minKilohertz() == 0
        || range.minKilohertz() > range.maxKilohertz()) {
      throw wrong("byte " + at + ": the range of refresh rates is empty: " + range);
    }
    return range;
  }

  /** Up to a line feed; what cannot be printed is a question mark. */
  private String text(int at) {
    StringBuilder text = new StringBuilder();
    for (int i = at; i < at + 13 && u8(i) != '\n'; i++) {
      text.append(u8(i) >= ' ' && u8(i) <= '~' ? (char) u8(i) : '?');
    }
    return text.toString().strip();
  }

  private int u8(int at) {
    return bytes[at] & 0xff;
  }

  private int u16(int at) {
    return u8(at) | u8(at + 1) << 8;
  }

  private static EdidException wrong(String what) {
    return new EdidException("EDID: " + what);
  }
}
