package io.isle.lib.packet.capture;

import java.io.IOException;
import java.nio.ByteOrder;

/** Files of the old format, in both byte orders, with microseconds or nanoseconds. */
final class PcapReader extends CaptureReader {
  private static final int MICROS = 0xA1B2C3D4;
  private static final int NANOS = 0xA1B23C4D;
  private static final int HEADER_BYTES = 24;
  private static final int RECORD_BYTES = 16;
  private static final int LINK_TYPE_BITS = 0xFFFF;

  private final int fractionNs;

  PcapReader(Input input) throws IOException {
    super(input);
    input.at("file header", 0);
    input.fields(HEADER_BYTES);
    if (input.u32(0) != MICROS && input.u32(0) != NANOS) {
      input.order(ByteOrder.LITTLE_ENDIAN);
    }
    fractionNs = input.u32(0) == NANOS ? 1 : 1000;
    if (input.u16(4) != 2 || input.u16(6) != 4) {
      throw input.failure("version " + input.u16(4) + "." + input.u16(6) + " is not 2.4");
    }
    // the upper bits tell about a frame check sequence
    linkType = input.u32(20) & LINK_TYPE_BITS;
  }

  /** Whether the first bytes, read as big-endian, are those of a file. */
  static boolean isMagic(int first) {
    int swapped = Integer.reverseBytes(first);
    return first == MICROS || first == NANOS || swapped == MICROS || swapped == NANOS;
  }

  @Override
  public boolean next() throws IOException {
    input.at("record", frames + 1);
    if (!input.head(RECORD_BYTES)) {
      return false;
    }
    long captured = Integer.toUnsignedLong(input.u32(8));
    if (captured > MAX_FRAME_BYTES) {
      throw input.failure("captured length " + captured + " is greater than " + MAX_FRAME_BYTES);
    }
    timeNs =
        Integer.toUnsignedLong(input.u32(0)) * 1_000_000_000L
            + Integer.toUnsignedLong(input.u32(4)) * fractionNs;
    wireLength = input.u32(12);
    frame((int) captured);
    return true;
  }
}
